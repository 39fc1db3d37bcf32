// The validity conditions of the Game Description Language (Love, Hinrichs, Haley, Schkufza,
// Genesereth: General Game Playing: Game Description Language Specification, 2008) and of GDL-II.
#pragma once

#include <vector>

#include "base/limits.h"
#include "gdl/diagnostic.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// Returns violations of the specification as errors and suspicious rules as warnings, in source
// order. Throws base::LimitReached at a limit.
std::vector<Diagnostic> check_validity(const Rulesheet& rulesheet, const base::Limits& limits = {});

// True if the rules use GDL-II: a `sees` relation or the role `random`.
bool uses_imperfect_information(const Rulesheet& rulesheet);

}  // namespace zermelo::gdl

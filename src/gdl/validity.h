// The validity conditions of the Game Description Language (Love, Hinrichs, Haley, Schkufza,
// Genesereth: General Game Playing: Game Description Language Specification, 2008) and of GDL-II.
#pragma once

#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "gdl/diagnostic.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// Returns violations of the specification as errors and suspicious rules as warnings, in source
// order. Throws base::LimitReached at a limit.
std::vector<Diagnostic> check_validity(const Rulesheet& rulesheet, const base::Limits& limits = {});

// True if the rules use GDL-II: a `sees` relation or the role `random`.
bool uses_imperfect_information(const Rulesheet& rulesheet);
// For what is defined only where every role sees the whole state and nothing happens by chance.
// Fails with not_applicable if the rules use GDL-II; the message is about `user`, such as "solve".
base::Result<void> require_perfect_information(const Rulesheet& rulesheet, std::string_view user);

}  // namespace zermelo::gdl

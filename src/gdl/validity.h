// The validity conditions of the Game Description Language (Love, Hinrichs, Haley, Schkufza,
// Genesereth: General Game Playing: Game Description Language Specification, 2008) and of GDL-II.
#pragma once

#include <vector>

#include "gdl/diagnostic.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// Every violation, as an error, and everything legal but suspicious, as a warning, in source order.
std::vector<Diagnostic> check_validity(const Rulesheet& rulesheet);

// Whether the rules use GDL-II: a `sees` relation or the role `random`.
bool uses_imperfect_information(const Rulesheet& rulesheet);

}  // namespace zermelo::gdl

// Prints a Rulesheet in canonical layout. Parsing the printed text gives the same rules.
#pragma once

#include <string>

#include "gdl/rulesheet.h"

namespace zermelo::gdl {

std::string print(const Rulesheet& rulesheet, Syntax syntax);
std::string print(const Term& term, const SymbolTable& symbols, Syntax syntax = Syntax::prefix);
std::string print(const Clause& clause, const SymbolTable& symbols, Syntax syntax = Syntax::prefix);

}  // namespace zermelo::gdl

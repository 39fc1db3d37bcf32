// Reading formulas and terms. docs/reference/toss.md has the grammar.
#pragma once

#include "toss/token_reader.h"

namespace zermelo::toss {

// Never null; anything where the reader has failed.
FormulaPtr parse_formula(TokenReader& reader);
TermPtr parse_term(TokenReader& reader);
// Names between parentheses, possibly none.
std::vector<syntax::Word> parse_names(TokenReader& reader);

}  // namespace zermelo::toss

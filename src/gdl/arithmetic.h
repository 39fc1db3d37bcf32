// Advice for rules that use operators of other languages. GDL computes nothing: `(- ?x 1)` is a
// term like any other, and relations between numbers are facts of the rulesheet.
#pragma once

#include <string>
#include <string_view>

#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// True for + - * / % ^ and the like.
bool is_operator(std::string_view name);

// The operator inside a variable such as `x-1`, which was probably meant as a difference. Empty if
// the name does not end with an operator and a number.
std::string_view operator_in_name(std::string_view variable);

// "GDL has no arithmetic, so ...": how to write what the operator computes in other languages.
std::string arithmetic_advice(std::string_view operation, Syntax syntax);

// The same for an undefined predicate such as `=`, `!=`, `<` or `+`. Empty for other names.
std::string comparison_advice(std::string_view predicate);

}  // namespace zermelo::gdl

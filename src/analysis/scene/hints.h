// What the rules say about the meaning of arguments: the names of variables, and which arguments of
// moves and fluents are the same variable.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "gdl/rulesheet.h"

namespace zermelo::analysis::scene {

struct ArgumentOf {
  std::string name;  // of the fluent or move
  std::size_t arity = 0;
  std::size_t position = 0;
  auto operator<=>(const ArgumentOf&) const = default;
};

struct RuleHints {
  // How often an argument of a fluent is a variable that is called like a row or like a column.
  struct Axis {
    int row = 0, column = 0;
  };
  std::map<ArgumentOf, Axis> axes;
  // How many rules have the same variable as an argument of a move and of a fluent.
  std::map<std::pair<ArgumentOf, ArgumentOf>, int> shared;
  // Fluents whose argument is the role of a legal move in a rule for `legal`.
  std::map<ArgumentOf, int> movers;
};

RuleHints hints_of(const gdl::Rulesheet& rulesheet);

}  // namespace zermelo::analysis::scene

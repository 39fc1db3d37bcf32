// The relations of a game that no state changes, such as successors and neighbours, and the order
// of values that they give.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/scene/symbols.h"
#include "base/limits.h"
#include "gdl/rulesheet.h"

namespace zermelo::analysis::scene {

struct Relation {
  std::string name;
  std::size_t arity = 0;
  std::vector<Words> tuples;
  std::vector<std::set<std::string>> values;  // by argument
};

// The relations of two to five arguments that depend on neither the state nor the moves, with facts
// and rules evaluated. At a limit, those evaluated so far.
std::vector<Relation> static_relations(const gdl::Rulesheet& rulesheet, const base::Limits& limits);

// Numbers before words, numbers by value, words of the same beginning by the number at their end.
bool is_before(const std::string& a, const std::string& b);
bool is_number(const std::string& text);
// The text without the digits at its end.
std::string stem(const std::string& text);

// The values in order, if they have one: numbers, words that differ by a number at the end, letters
// from a on, numbers and such letters, or a chain of a successor relation. At least two values.
std::optional<Words> in_order(const std::set<std::string>& values,
                              const std::vector<Relation>& relations);

}  // namespace zermelo::analysis::scene

// The fluents of a game by their symbol, and states of random games to look at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace zermelo::analysis::scene {

using Words = std::vector<std::string>;

// A ground term in canonical layout: its name and the texts of its arguments.
struct Term {
  std::string name;
  Words arguments;
};
Term term_of(const std::string& text);

// All fluents with one name and number of arguments.
struct Symbol {
  std::string name;
  std::size_t arity = 0;
  std::vector<std::string> fluents;           // canonical names
  std::vector<Words> arguments;               // by fluent
  std::vector<std::set<std::string>> values;  // by argument
  // By sampled state, the fluents that hold, as indices.
  std::vector<std::vector<std::uint32_t>> samples;

  // Whether no sampled state has two fluents with the same values of these arguments.
  bool one_per(const std::vector<std::size_t>& key) const;
  bool at_most_one() const { return one_per({}); }
  // The largest number of fluents that hold in one sampled state.
  std::size_t most() const;
  // Whether all sampled states have the same fluents.
  bool is_constant() const;
};

// The symbols of the fluents, in the order of their first fluents. Each state of `samples` is a
// list of fluents; unknown ones are skipped.
std::vector<Symbol> symbols_of(const std::vector<std::string>& fluents,
                               const std::vector<std::vector<std::string>>& samples);

// The values of some arguments of a fluent.
Words values_at(const Words& arguments, const std::vector<std::size_t>& positions);

bool is_subset(const std::set<std::string>& part, const std::set<std::string>& whole);
std::size_t common(const std::set<std::string>& a, const std::set<std::string>& b);

}  // namespace zermelo::analysis::scene

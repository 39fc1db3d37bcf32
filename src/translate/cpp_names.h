// Names of a game in C++: string literals and identifiers.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace zermelo::translate {

// The text as a C++ string literal in plain ASCII, quotes included.
std::string string_literal(std::string_view text);

// Identifiers that resemble names and differ from each other: "(cell 1 1 b)" is "is_cell_1_1_b".
class Identifiers {
 public:
  // `prefix` must be an identifier that ends in '_' and starts no keyword.
  std::string make(std::string_view prefix, std::string_view name);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, unsigned> tried_;
};

}  // namespace zermelo::translate

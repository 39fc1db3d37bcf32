// The names of a game in C++, as string literals and identifiers.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace zermelo::translate {

// Returns the text as a C++ string literal in ASCII, including the quotes.
std::string string_literal(std::string_view text);

// Makes unique identifiers that resemble names: "(cell 1 1 b)" becomes "is_cell_1_1_b".
class Identifiers {
 public:
  // Requires a prefix that is an identifier, ends in '_' and does not start a keyword.
  std::string make(std::string_view prefix, std::string_view name);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, unsigned> tried_;
};

}  // namespace zermelo::translate

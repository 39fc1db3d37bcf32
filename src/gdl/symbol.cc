#include "gdl/symbol.h"

#include <algorithm>

namespace zermelo::gdl {

SymbolTable::SymbolTable() {
  for (const char* word :
       {"role", "init", "true", "does", "next", "legal", "goal", "terminal", "distinct", "or",
        "and", "not", "<=", "base", "input", "sees", "random"}) {
    intern(word);
  }
}

Symbol SymbolTable::intern(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (const auto found = symbols_.find(lower); found != symbols_.end()) return found->second;
  const auto symbol = static_cast<Symbol>(names_.size());
  symbols_.emplace(names_.emplace_back(std::move(lower)), symbol);
  return symbol;
}

SymbolTable SymbolTable::copy() const {
  SymbolTable result;
  for (const std::string& name : names_) result.intern(name);
  return result;
}

}  // namespace zermelo::gdl

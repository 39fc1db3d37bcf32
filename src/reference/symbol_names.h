// The symbols of a rulesheet and of the numbers that computed functions add to them.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>

#include "gdl/symbol.h"

namespace zermelo::reference {

class SymbolNames {
 public:
  SymbolNames() = default;
  // The table must outlive the names.
  explicit SymbolNames(const gdl::SymbolTable& rulesheet) : rulesheet_(&rulesheet) {}

  const std::string& name(gdl::Symbol symbol) const;
  // Returns the symbol of a name in lower case; a new one if the rulesheet has none.
  gdl::Symbol intern(const std::string& name);

 private:
  const gdl::SymbolTable* rulesheet_ = nullptr;
  std::deque<std::string> added_;
  std::unordered_map<std::string, gdl::Symbol> symbols_;  // of all names, from the first intern on
};

}  // namespace zermelo::reference

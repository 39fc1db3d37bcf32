#include "reference/symbol_names.h"

namespace zermelo::reference {

const std::string& SymbolNames::name(gdl::Symbol symbol) const {
  const auto number = static_cast<std::size_t>(symbol);
  if (number < rulesheet_->size()) return rulesheet_->name(symbol);
  return added_[number - rulesheet_->size()];
}

gdl::Symbol SymbolNames::intern(const std::string& name) {
  if (symbols_.empty()) {
    for (std::size_t i = 0; i < rulesheet_->size(); ++i) {
      const auto symbol = static_cast<gdl::Symbol>(i);
      symbols_.emplace(rulesheet_->name(symbol), symbol);
    }
  }
  const auto fresh = static_cast<gdl::Symbol>(rulesheet_->size() + added_.size());
  const auto [entry, is_new] = symbols_.try_emplace(name, fresh);
  if (is_new) added_.push_back(name);
  return entry->second;
}

}  // namespace zermelo::reference

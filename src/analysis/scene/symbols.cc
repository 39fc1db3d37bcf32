#include "analysis/scene/symbols.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "gdl/term_text.h"

namespace zermelo::analysis::scene {

Term term_of(const std::string& text) {
  if (text.size() < 2 || text.front() != '(') return {text, {}};
  const auto items = gdl::items_of(std::string_view(text).substr(1, text.size() - 2));
  if (!items || items->empty()) return {text, {}};
  Term term{std::string(items->front()), {}};
  for (std::size_t i = 1; i < items->size(); ++i) term.arguments.emplace_back((*items)[i]);
  return term;
}

Words values_at(const Words& arguments, const std::vector<std::size_t>& positions) {
  Words values;
  for (const std::size_t position : positions) values.push_back(arguments[position]);
  return values;
}

bool Symbol::one_per(const std::vector<std::size_t>& key) const {
  return std::all_of(samples.begin(), samples.end(), [&](const auto& state) {
    if (state.size() < 2) return true;
    if (key.empty()) return false;
    std::set<Words> seen;
    return std::all_of(state.begin(), state.end(), [&](std::uint32_t fluent) {
      return seen.insert(values_at(arguments[fluent], key)).second;
    });
  });
}

std::size_t Symbol::most() const {
  std::size_t most = 0;
  for (const auto& state : samples) most = std::max(most, state.size());
  return most;
}

bool Symbol::is_constant() const {
  return std::all_of(samples.begin(), samples.end(),
                     [&](const auto& state) { return state == samples.front(); });
}

std::vector<Symbol> symbols_of(const std::vector<std::string>& fluents,
                               const std::vector<std::vector<std::string>>& samples) {
  std::vector<Symbol> symbols;
  std::map<std::pair<std::string, std::size_t>, std::size_t> by_name;
  std::unordered_map<std::string, std::pair<std::size_t, std::uint32_t>> places;
  for (const std::string& fluent : fluents) {
    Term term = term_of(fluent);
    const std::size_t arity = term.arguments.size();
    const auto [entry, is_new] = by_name.try_emplace({term.name, arity}, symbols.size());
    if (is_new) {
      Symbol& added = symbols.emplace_back();
      added.name = term.name;
      added.arity = arity;
      added.values.resize(arity);
    }
    Symbol& symbol = symbols[entry->second];
    const auto index = static_cast<std::uint32_t>(symbol.fluents.size());
    if (!places.try_emplace(fluent, entry->second, index).second) continue;
    symbol.fluents.push_back(fluent);
    for (std::size_t i = 0; i < arity; ++i) symbol.values[i].insert(term.arguments[i]);
    symbol.arguments.push_back(std::move(term.arguments));
  }
  for (Symbol& symbol : symbols) symbol.samples.resize(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (const std::string& fluent : samples[i]) {
      const auto place = places.find(fluent);
      if (place == places.end()) continue;
      symbols[place->second.first].samples[i].push_back(place->second.second);
    }
  }
  for (Symbol& symbol : symbols) {
    for (auto& state : symbol.samples) std::sort(state.begin(), state.end());
  }
  return symbols;
}

bool is_subset(const std::set<std::string>& part, const std::set<std::string>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

std::size_t common(const std::set<std::string>& a, const std::set<std::string>& b) {
  return static_cast<std::size_t>(std::count_if(
      a.begin(), a.end(), [&](const std::string& value) { return b.contains(value); }));
}

}  // namespace zermelo::analysis::scene

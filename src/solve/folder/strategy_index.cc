#include "solve/folder/strategy_index.h"

#include <algorithm>

namespace zermelo::solve {

StrategyIndex::StrategyIndex(const StoredStrategies& strategies) {
  for (std::uint32_t t = 0; t < strategies.terms.size(); ++t) terms_[strategies.terms[t]] = t;
  for (const StoredStrategy& strategy : strategies.players) {
    auto& nodes = nodes_.emplace_back();
    for (std::uint32_t n = 1; n < strategy.nodes.size(); ++n) {
      const StoredStrategy::Node& node = strategy.nodes[n];
      nodes[{node.before, node.move, node.percepts}] = n;
    }
  }
}

std::uint32_t StrategyIndex::after(std::size_t player, std::uint32_t before,
                                   const std::string& move,
                                   std::vector<std::string> percepts) const {
  const auto made = terms_.find(move);
  if (before == none || made == terms_.end()) return none;
  std::sort(percepts.begin(), percepts.end());
  Key key{before, made->second, {}};
  for (const std::string& percept : percepts) {
    const auto seen = terms_.find(percept);
    if (seen == terms_.end()) return none;
    std::get<2>(key).push_back(seen->second);
  }
  const auto found = nodes_[player].find(key);
  return found == nodes_[player].end() ? none : found->second;
}

}  // namespace zermelo::solve

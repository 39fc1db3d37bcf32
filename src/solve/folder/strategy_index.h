// Finds the information sets of stored strategies by what a player does and sees.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "solve/folder/strategy_folder.h"

namespace zermelo::solve {

class StrategyIndex {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // The strategies must outlive this.
  explicit StrategyIndex(const StoredStrategies& strategies);

  // The node after a move and the percepts that follow, in any order; none if the strategy has
  // none, or the node before is none.
  std::uint32_t after(std::size_t player, std::uint32_t before, const std::string& move,
                      std::vector<std::string> percepts) const;

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint32_t>>;

  std::unordered_map<std::string, std::uint32_t> terms_;
  std::vector<std::map<Key, std::uint32_t>> nodes_;  // by player
};

}  // namespace zermelo::solve

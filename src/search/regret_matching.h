// Regret matching in nodes where several roles decide at once: every role plays a mixed strategy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/random.h"

namespace zermelo::search {

struct RegretMatching {
  double exploration = 0.2;  // gamma: the share of uniformly random moves
};

// The regrets of one node. The caller synchronises access.
class RegretTable {
 public:
  // The number of moves by role.
  explicit RegretTable(std::vector<std::uint32_t> moves);

  // Draws a move of the role.
  std::size_t select(std::size_t role, const RegretMatching& rule, base::Random& random) const;
  // Adds the rewards of one joint move, given by the index of each role's move.
  void update(std::span<const std::uint32_t> indices, std::span<const double> rewards);
  // Returns the average strategy, which comes close to an equilibrium in games of two roles with
  // constant sum. Uniform without updates.
  std::vector<double> average_strategy(std::size_t role) const;
  std::size_t bytes() const;

 private:
  struct Outcome {
    double samples = 0;
    std::vector<double> means;  // by role
  };

  std::vector<double> current_strategy(std::size_t role) const;

  std::vector<std::uint32_t> moves_;   // by role
  std::vector<std::size_t> first_;     // by role, of its moves in the vectors below
  std::vector<std::uint64_t> stride_;  // by role, in the number of a joint move
  std::vector<double> regrets_, weights_;
  std::unordered_map<std::uint64_t, Outcome> outcomes_;  // by joint move, those that were tried
  double updates_ = 0;
};

// Draws an index with these probabilities.
std::size_t draw(std::span<const double> probabilities, base::Random& random);

}  // namespace zermelo::search

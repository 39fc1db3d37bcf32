// Decoupled UCT gives every role its own bandit, and each bandit looks for a best answer to what
// the others did so far. Where the equilibrium is mixed, the answers chase each other, and neither
// the last move nor the frequencies need to converge (Shafiei, Sturtevant and Schaeffer, "Comparing
// UCT versus CFR in Simultaneous Games", 2009).
//
// Regret matching (Hart and Mas-Colell 2000) plays each move in proportion to its positive regret:
// how much better the role would have done if it had always made this move while the others did
// what they did. If both roles of a constant-sum game do so, their average strategies converge to
// optimal ones. In a tree this is SM-MCTS with regret matching (Lisy, Kovarik, Lanctot and
// Bosansky, "Convergence of Monte Carlo Tree Search in Simultaneous Move Games", 2013). What
// another move would have brought is not known from one playout; it is estimated by the mean of the
// playouts after that joint move. Joint moves that were never tried cause no regret. A share of the
// moves, gamma, is uniformly random, so that all joint moves are tried; these random moves are not
// part of the average strategy.
// The regrets are measured against opponents who move at random with probability gamma, too, so the
// limit differs from an equilibrium by an amount that grows with gamma.
//
// Two changes make it faster in practice, both from CFR+ (Tammelin 2014): negative sums of regrets
// are set to 0, and the n-th strategy has weight n in the average. The second also forgets the
// first strategies, which follow from means of few playouts.

#include "search/regret_matching.h"

#include <algorithm>
#include <numeric>

namespace zermelo::search {

RegretTable::RegretTable(std::vector<std::uint32_t> moves) : moves_(std::move(moves)) {
  std::size_t all = 0;
  std::uint64_t stride = 1;
  for (const std::uint32_t count : moves_) {
    first_.push_back(all);
    stride_.push_back(stride);
    all += count;
    stride *= count;
  }
  regrets_.assign(all, 0.0);
  weights_.assign(all, 0.0);
}

std::vector<double> RegretTable::current_strategy(std::size_t role) const {
  const std::size_t first = first_[role], count = moves_[role];
  std::vector<double> strategy(regrets_.begin() + static_cast<std::ptrdiff_t>(first),
                               regrets_.begin() + static_cast<std::ptrdiff_t>(first + count));
  const double sum = std::accumulate(strategy.begin(), strategy.end(), 0.0);
  for (double& probability : strategy) {
    probability = sum > 0 ? probability / sum : 1.0 / static_cast<double>(count);
  }
  return strategy;
}

std::size_t RegretTable::select(std::size_t role, const RegretMatching& rule,
                                base::Random& random) const {
  constexpr std::uint32_t steps = 1 << 20;
  if (random.below(steps) < rule.exploration * steps) return random.below(moves_[role]);
  return draw(current_strategy(role), random);
}

void RegretTable::update(std::span<const std::uint32_t> indices, std::span<const double> rewards) {
  std::uint64_t joint = 0;
  for (std::size_t role = 0; role < moves_.size(); ++role) joint += indices[role] * stride_[role];
  Outcome& made = outcomes_[joint];
  made.means.resize(moves_.size());
  made.samples += 1;
  for (std::size_t role = 0; role < moves_.size(); ++role) {
    made.means[role] += (rewards[role] - made.means[role]) / made.samples;
  }
  updates_ += 1;
  for (std::size_t role = 0; role < moves_.size(); ++role) {
    if (moves_[role] < 2) continue;
    const std::vector<double> strategy = current_strategy(role);
    for (std::uint32_t move = 0; move < moves_[role]; ++move) {
      weights_[first_[role] + move] += updates_ * strategy[move];
      const auto other =
          outcomes_.find(joint + (std::uint64_t{move} - indices[role]) * stride_[role]);
      if (other == outcomes_.end()) continue;
      double& regret = regrets_[first_[role] + move];
      regret = std::max(0.0, regret + other->second.means[role] - made.means[role]);
    }
  }
}

std::vector<double> RegretTable::average_strategy(std::size_t role) const {
  const auto first = weights_.begin() + static_cast<std::ptrdiff_t>(first_[role]);
  std::vector<double> strategy(first, first + moves_[role]);
  const double sum = std::accumulate(strategy.begin(), strategy.end(), 0.0);
  for (double& probability : strategy) {
    probability = sum > 0 ? probability / sum : 1.0 / static_cast<double>(moves_[role]);
  }
  return strategy;
}

std::size_t RegretTable::bytes() const {
  const std::size_t entry = sizeof(Outcome) + moves_.size() * sizeof(double) + 4 * sizeof(void*);
  std::size_t all = 1;
  for (const std::uint32_t count : moves_) all *= count;
  return sizeof(RegretTable) + regrets_.size() * 2 * sizeof(double) +
         std::min<std::size_t>(all, 4096) * entry;
}

std::size_t draw(std::span<const double> probabilities, base::Random& random) {
  double left = static_cast<double>(random.next() >> 11) * 0x1p-53;
  for (std::size_t i = 0; i + 1 < probabilities.size(); ++i) {
    if (left < probabilities[i]) return i;
    left -= probabilities[i];
  }
  // Rounding may leave a little for a last move that is never made.
  std::size_t last = probabilities.size() - 1;
  while (last > 0 && probabilities[last] == 0) --last;
  return last;
}

}  // namespace zermelo::search

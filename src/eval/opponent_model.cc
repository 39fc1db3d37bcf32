#include "eval/opponent_model.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace zermelo::eval {
namespace {

int total(const Rewards& rewards) { return std::accumulate(rewards.begin(), rewards.end(), 0); }

int best_of_others(const Rewards& rewards, std::size_t role) {
  int best = rewards[role == 0 ? 1 : 0];
  for (std::size_t other = 0; other < rewards.size(); ++other) {
    if (other != role) best = std::max(best, rewards[other]);
  }
  return best;
}

// Smaller is better.
std::tuple<int, int> cost(OpponentModel model, std::size_t role, const Rewards& rewards) {
  const int own = rewards[role];
  const int second = model == OpponentModel::own ? total(rewards) - own : -own;
  return {-aim(model, role, rewards), second};
}

}  // namespace

std::string name_of(OpponentModel model) {
  return model == OpponentModel::own ? "own" : "difference";
}

int aim(OpponentModel model, std::size_t role, const Rewards& rewards) {
  if (model == OpponentModel::own || rewards.size() == 1) return rewards[role];
  return rewards[role] - best_of_others(rewards, role);
}

bool prefers(OpponentModel model, std::size_t role, const Rewards& a, const Rewards& b) {
  const auto cost_a = cost(model, role, a), cost_b = cost(model, role, b);
  return cost_a != cost_b ? cost_a < cost_b : a > b;
}

bool hurries(std::size_t role, const Rewards& rewards) {
  return std::all_of(rewards.begin(), rewards.end(),
                     [&](int reward) { return reward <= rewards[role]; });
}

bool prefers(OpponentModel model, std::size_t role, const Worth& a, const Worth& b) {
  if (a.rewards != b.rewards) return prefers(model, role, a.rewards, b.rewards);
  return hurries(role, a.rewards) ? a.distance < b.distance : a.distance > b.distance;
}

std::vector<std::uint32_t> ranks(OpponentModel model, std::size_t role,
                                 const std::vector<Rewards>& outcomes) {
  std::vector<std::uint32_t> order(outcomes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return prefers(model, role, outcomes[a], outcomes[b]);
  });
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) rank[order[place]] = place;
  return rank;
}

}  // namespace zermelo::eval

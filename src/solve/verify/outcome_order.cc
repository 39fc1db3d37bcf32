#include "solve/verify/outcome_order.h"

#include <algorithm>

namespace zermelo::solve {

Preference::Preference(const Description& description, const std::vector<bool>& decides)
    : description_(description) {
  std::vector<std::size_t> deciding;
  for (std::size_t role = 0; role < decides.size(); ++role) {
    if (decides[role]) deciding.push_back(role);
  }
  if (description.roles.size() == 2 && opposed(0, 1)) {
    rivals_ = {0, 1};
  } else if (deciding.size() == 2 && opposed(deciding[0], deciding[1])) {
    rivals_ = {deciding[0], deciding[1]};
  }
  settles_cycles_ = rivals_ || deciding.size() < 2;
}

bool Preference::better(std::size_t role, const Rewards& a, const Rewards& b) const {
  if (a == b) return false;
  if (a.empty()) return !better_than_endless(role, b);
  if (b.empty()) return better_than_endless(role, a);
  const auto wishes_a = wishes(role, a), wishes_b = wishes(role, b);
  return wishes_a != wishes_b ? wishes_a > wishes_b : a > b;
}

bool Preference::better_than_endless(std::size_t role, const Rewards& rewards) const {
  if (!rivals_ || (role != rivals_->first && role != rivals_->second)) return true;
  const std::size_t rival = role == rivals_->first ? rivals_->second : rivals_->first;
  return rewards[role] >= rewards[rival];
}

bool Preference::opposed(std::size_t first, std::size_t second) const {
  for (const Rewards& a : description_.outcomes) {
    for (const Rewards& b : description_.outcomes) {
      if (a.empty() || b.empty() || a == b) continue;
      if (better(first, a, b) != better(second, b, a)) return false;
    }
  }
  return true;
}

std::pair<int, int> Preference::wishes(std::size_t role, const Rewards& rewards) const {
  const int own = rewards[role];
  int others = 0;
  std::optional<int> best;
  for (std::size_t r = 0; r < rewards.size(); ++r) {
    if (r == role) continue;
    others += rewards[r];
    best = std::max(best.value_or(rewards[r]), rewards[r]);
  }
  if (description_.model == OpponentModel::own) return {own, -others};
  return {own - best.value_or(0), own};
}

}  // namespace zermelo::solve

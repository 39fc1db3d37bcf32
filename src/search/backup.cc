// Estimates are arithmetic means, or with the moving average of Gudmundsson and Bjornsson (GIGA
// 2011):
//
//   Q(s, a) = Q_old(s, a) + lambda (r - Q_old(s, a))                                   (3)
//   lambda = 1 / N(s, a) when N(s, a) <= M, lambda_0 when N(s, a) > M                  (4)
//
// Proved values (MCTS-Solver, Winands, Bjornsson and Saito, 2008, for any number of players): where
// one role decides, a node is proved by a move to the best outcome that its role can have at all,
// or when all its moves are proved, by the best of them. The order of outcomes is that of the
// solver's model `own`, so proved values are the solver's. Where several decide at once nothing is
// proved. Other parents of a proved node learn of it when they next select the move.
#include "search/backup.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>

namespace zermelo::search {
namespace {

int others(std::size_t role, const Rewards& rewards) {
  return std::accumulate(rewards.begin(), rewards.end(), -rewards[role]);
}

// Stops at the largest number, so that what is new counts little; a wrapped counter would make it
// count for everything.
void count(std::uint32_t& counter, std::uint32_t more) {
  counter += std::min(more, std::numeric_limits<std::uint32_t>::max() - counter);
}

// Moves that a role makes after a node, in the tree or in a playout.
using LaterMoves = std::unordered_set<std::uint64_t>;

std::uint64_t key(std::size_t role, Move move) { return std::uint64_t{role} << 32 | move; }

// What one path has to tell the nodes on it.
class Backup {
 public:
  Backup(const Path& path, const Sample& sample, std::uint32_t in_flight, const BackupRule& rule)
      : path_(path),
        sample_(sample),
        in_flight_(in_flight),
        rule_(rule),
        roles_(steps() == 0 ? 1 : path.places.size() / steps()) {
    if (rule_.rave) collect_lines();
  }

  std::size_t steps() const { return path_.nodes.size() - 1; }

  // To be called for all steps, the last one first.
  void take_up_step(std::size_t i) {
    Node& node = *path_.nodes[i];
    const std::lock_guard lock(node.lock);
    take_up(*node.choices, path_.places_in(i, roles_));
    const Rewards* const exact = path_.nodes[i + 1]->exact;
    if (rule_.proofs && exact != nullptr) prove(node, path_.places_in(i, roles_), exact);
    if (path_.known[i] != nullptr) replace_sample(*path_.known[i]);
  }

 private:
  std::size_t playouts() const { return sample_.rewards.size() / roles_; }

  double mean_reward(std::size_t role) const {
    double sum = 0;
    for (std::size_t p = 0; p < playouts(); ++p) {
      sum += static_cast<double>(sample_.rewards[p * roles_ + role]);
    }
    return sum / static_cast<double>(playouts());
  }

  void take_up(Choices& choices, std::span<const std::uint32_t> places) {
    choices.visits += playouts();
    choices.in_flight -= in_flight_;
    for (std::size_t role = 0; role < roles_; ++role) {
      MoveStatistics& move = choices.of_role(role)[places[role]];
      move.in_flight -= in_flight_;
      update(move, mean_reward(role), static_cast<std::uint32_t>(playouts()), rule_.moving_average);
    }
    if (rule_.rave) take_up_rave(choices, places);
  }

  // From here on every playout had this result.
  void replace_sample(const Rewards& known) {
    known_rewards_.resize(sample_.rewards.size());
    for (std::size_t i = 0; i < known_rewards_.size(); ++i) {
      known_rewards_[i] = static_cast<float>(known[i % roles_]) / 100;
    }
    sample_.rewards = known_rewards_;
  }

  void collect_lines() {
    later_.resize(playouts());
    for (std::size_t p = 0; p < sample_.lines.size(); ++p) {
      const std::vector<Move>& line = sample_.lines[p];
      for (std::size_t i = 0; i < line.size(); ++i) later_[p].insert(key(i % roles_, line[i]));
    }
  }

  void take_up_rave(Choices& choices, std::span<const std::uint32_t> places) {
    for (std::size_t role = 0; role < roles_; ++role) {
      const Move made = choices.of_role(role)[places[role]].move;
      for (std::size_t p = 0; p < playouts(); ++p) {
        later_[p].insert(key(role, made));
        const float reward = sample_.rewards[p * roles_ + role];
        for (MoveStatistics& move : choices.of_role(role)) {
          if (!later_[p].contains(key(role, move.move))) continue;
          count(move.rave_visits, 1);
          move.rave_value += (reward - move.rave_value) / static_cast<float>(move.rave_visits);
        }
      }
    }
  }

  void prove(Node& node, std::span<const std::uint32_t> places, const Rewards* exact) const {
    Choices& choices = *node.choices;
    if (choices.decider == nobody || node.exact != nullptr) return;
    const std::span<MoveStatistics> moves = choices.of_role(choices.decider);
    moves[places[choices.decider]].exact = exact;
    if (is_best_possible(*exact, choices.decider, rule_)) {
      node.exact = exact;
    } else if (std::all_of(moves.begin(), moves.end(), [](auto& move) { return move.exact; })) {
      node.exact = std::max_element(moves.begin(), moves.end(), [&](auto& a, auto& b) {
                     return prefers(choices.decider, *b.exact, *a.exact);
                   })->exact;
    }
  }

  const Path& path_;
  Sample sample_;
  std::uint32_t in_flight_;
  const BackupRule& rule_;
  std::size_t roles_;
  std::vector<LaterMoves> later_;  // by playout
  std::vector<float> known_rewards_;
};

}  // namespace

void update(MoveStatistics& move, double reward, std::uint32_t playouts,
            const std::optional<MovingAverage>& average) {
  count(move.visits, playouts);
  count(move.samples, 1);
  const bool moving = move.samples > (average ? average->start : ~std::uint32_t{0});
  const double step = moving ? average->step : static_cast<double>(playouts) / move.visits;
  move.value += step * (reward - move.value);
}

bool is_best_possible(const Rewards& rewards, std::size_t role, const BackupRule& rule) {
  for (std::size_t r = 0; r < rewards.size(); ++r) {
    if (r == role ? rewards[r] < rule.best_goals[r] : rewards[r] > rule.worst_goals[r])
      return false;
  }
  return true;
}

bool prefers(std::size_t role, const Rewards& a, const Rewards& b) {
  if (a[role] != b[role]) return a[role] > b[role];
  if (others(role, a) != others(role, b)) return others(role, a) < others(role, b);
  return a > b;
}

void backup(std::span<const Path> paths, std::span<const Sample> samples, std::uint32_t in_flight,
            const BackupRule& rule) {
  std::vector<Backup> backups;
  backups.reserve(paths.size());
  std::size_t longest = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    backups.emplace_back(paths[i], samples[i], in_flight, rule);
    longest = std::max(longest, backups.back().steps());
  }
  for (std::size_t step = longest; step-- > 0;) {
    for (Backup& one : backups) {
      if (step < one.steps()) one.take_up_step(step);
    }
  }
}

}  // namespace zermelo::search

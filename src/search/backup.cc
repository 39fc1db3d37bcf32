// Estimates are arithmetic means, or with the moving average of Gudmundsson and Bjornsson (GIGA
// 2011):
//
//   Q(s, a) = Q_old(s, a) + lambda (r - Q_old(s, a))                                   (3)
//   lambda = 1 / N(s, a) when N(s, a) <= M, lambda_0 when N(s, a) > M                  (4)
//
// N counts playouts; those from one leaf arrive together, as their mean, and count as if each had
// that reward: n steps of lambda_0 are one of 1 - (1 - lambda_0)^n.
//
// Proved values (MCTS-Solver, Winands, Bjornsson and Saito, 2008, for any number of players): where
// one role decides, a node is proved by a move to the best outcome that its role can have at all,
// or when all its moves are proved, by the best of them. The order of outcomes is the solver's, so
// proved values are, too. Where several decide at once nothing is proved. Other parents of a proved
// node learn of it when they next select the move.
//
// With the value goes a distance, one more than that of the move the node is proved by, so that a
// player who follows the distances down arrives also where states can occur again. The distance is
// that of the proof: a shorter way to the best outcome may be found after it. Where a role that
// does not hurry has the best outcome, it could delay by moves not looked at: there is none.
#include "search/backup.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace zermelo::search {
namespace {

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
  Backup(Tree& tree, const Path& path, const Sample& sample, const BackupRule& rule)
      : tree_(tree),
        path_(path),
        sample_(sample),
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
    const Worth* const exact = path_.nodes[i + 1]->exact;
    if (rule_.proofs && exact != nullptr) prove(node, path_.places_in(i, roles_), exact);
    if (path_.known[i] != nullptr) replace_sample(path_.known[i]->rewards);
  }

 private:
  std::uint32_t playouts() const { return path_.playouts; }

  double mean_reward(std::size_t role) const {
    double sum = 0;
    for (std::size_t p = 0; p < playouts(); ++p) {
      sum += static_cast<double>(sample_.rewards[p * roles_ + role]);
    }
    return sum / playouts();
  }

  void take_up(Choices& choices, std::span<const std::uint32_t> places) {
    choices.visits += playouts();
    choices.in_flight -= playouts();
    for (std::size_t role = 0; role < roles_; ++role) {
      MoveStatistics& move = choices.of_role(role)[places[role]];
      move.in_flight -= playouts();
      update(move, mean_reward(role), playouts(), rule_.moving_average);
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
    for (LaterMoves& later : later_) later.clear();  // they led elsewhere
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

  void prove(Node& node, std::span<const std::uint32_t> places, const Worth* exact) const {
    Choices& choices = *node.choices;
    const std::size_t role = choices.decider;
    if (role == nobody || node.exact != nullptr) return;
    const std::span<MoveStatistics> moves = choices.of_role(role);
    moves[places[role]].exact = exact;
    if (is_best_possible(exact->rewards, role, rule_)) {
      node.exact = a_move_before(*exact, eval::hurries(role, exact->rewards));
    } else if (std::all_of(moves.begin(), moves.end(), [](auto& move) { return move.exact; })) {
      const auto best = std::max_element(moves.begin(), moves.end(), [&](auto& a, auto& b) {
        return prefers(rule_.model, role, *b.exact, *a.exact);
      });
      node.exact = a_move_before(*best->exact, true);
    }
  }

  const Worth* a_move_before(const Worth& after, bool has_distance) const {
    const bool ends = has_distance && after.distance != eval::no_distance;
    return tree_.intern({after.rewards, ends ? after.distance + 1 : eval::no_distance});
  }

  Tree& tree_;
  const Path& path_;
  Sample sample_;
  const BackupRule& rule_;
  std::size_t roles_;
  std::vector<LaterMoves> later_;  // by playout
  std::vector<float> known_rewards_;
};

}  // namespace

void update(MoveStatistics& move, double reward, std::uint32_t playouts,
            const std::optional<MovingAverage>& average) {
  std::uint32_t in_mean = playouts;
  if (average) in_mean = std::min(playouts, average->start - std::min(average->start, move.visits));
  double kept = 1;  // of the old estimate
  if (in_mean > 0) kept = move.visits / (static_cast<double>(move.visits) + in_mean);
  if (average) kept *= std::pow(1 - average->step, playouts - in_mean);
  count(move.visits, playouts);
  move.value = reward + kept * (move.value - reward);
}

bool is_best_possible(const Rewards& rewards, std::size_t role, const BackupRule& rule) {
  for (std::size_t r = 0; r < rewards.size(); ++r) {
    if (r == role ? rewards[r] < rule.best_goals[r] : rewards[r] > rule.worst_goals[r])
      return false;
  }
  return true;
}

void forget(std::span<const Path> paths, std::size_t roles) {
  for (const Path& path : paths) {
    for (std::size_t i = 0; i + 1 < path.nodes.size(); ++i) {
      const std::lock_guard lock(path.nodes[i]->lock);
      Choices& choices = *path.nodes[i]->choices;
      choices.in_flight -= path.playouts;
      const std::span<const std::uint32_t> places = path.places_in(i, roles);
      for (std::size_t role = 0; role < roles; ++role) {
        choices.of_role(role)[places[role]].in_flight -= path.playouts;
      }
    }
  }
}

void backup(Tree& tree, std::span<const Path> paths, std::span<const Sample> samples,
            const BackupRule& rule) {
  std::vector<Backup> backups;
  backups.reserve(paths.size());
  std::size_t longest = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    backups.emplace_back(tree, paths[i], samples[i], rule);
    longest = std::max(longest, backups.back().steps());
  }
  for (std::size_t step = longest; step-- > 0;) {
    for (Backup& one : backups) {
      if (step < one.steps()) one.take_up_step(step);
    }
  }
}

}  // namespace zermelo::search

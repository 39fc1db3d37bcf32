// Estimates are arithmetic means, or follow the moving average of Gudmundsson and Bjornsson (GIGA
// 2011):
//
//   Q(s, a) = Q_old(s, a) + lambda (r - Q_old(s, a))                                   (3)
//   lambda = 1 / N(s, a) when N(s, a) <= M, lambda_0 when N(s, a) > M                  (4)
//
// N counts playouts. The playouts from one leaf arrive together as their mean, and count as if each
// had that reward: n steps of lambda_0 equal one step of 1 - (1 - lambda_0)^n.
//
// Proved values follow MCTS-Solver (Winands, Bjornsson and Saito, 2008), extended to any number of
// players. If one role decides, a node is proved by a move to the best possible outcome for that
// role, or, when all its moves are proved, by the best of them. The order of outcomes is that of
// the solver, so proved values equal the solver's. If several roles decide at once, nothing is
// proved. Other parents of a proved node learn its value when they next select the move.
//
// Every proved value has a distance: one more than that of the move that proves the node. So a
// player who follows decreasing distances reaches the end even if states can recur. It is the
// distance of the proof; a shorter path to the best outcome may be found later. If a role that does
// not hurry has the best outcome, it might delay by unexplored moves, so there is no distance.
#include "search/backup.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace zermelo::search {
namespace {

// Saturates at the largest number, so that new samples count little. A wrapped counter would give
// them full weight.
void count(std::uint32_t& counter, std::uint32_t more) {
  counter += std::min(more, std::numeric_limits<std::uint32_t>::max() - counter);
}

// Moves that a role makes after a node, in the tree or in a playout.
using LaterMoves = std::unordered_set<std::uint64_t>;

std::uint64_t key(std::size_t role, Move move) { return std::uint64_t{role} << 32 | move; }

// Updates the nodes of one path.
class Backup {
 public:
  Backup(Tree& tree, const Path& path, const Sample& sample, const BackupRule& rule)
      : tree_(tree),
        path_(path),
        sample_(sample),
        rule_(rule),
        roles_(steps() == 0 ? 1 : path.indices.size() / steps()),
        by_lanes_(sample.lines.empty()) {
    if (rule_.rave && !by_lanes_) collect_lines();
  }

  std::size_t steps() const { return path_.nodes.size() - 1; }

  // Must be called for all steps, the last one first.
  void update_step(std::size_t i) {
    Node& node = *path_.nodes[i];
    const std::lock_guard lock(node.lock);
    update_node(*node.choices, path_.indices_in(i, roles_));
    const Worth* const exact = path_.nodes[i + 1]->exact;
    if (rule_.proofs && exact != nullptr) prove(node, path_.indices_in(i, roles_), exact);
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

  void update_node(Choices& choices, std::span<const std::uint32_t> indices) {
    choices.visits += playouts();
    choices.in_flight -= playouts();
    for (std::size_t role = 0; role < roles_; ++role) {
      MoveStatistics& move = choices.of_role(role)[indices[role]];
      move.in_flight -= playouts();
      update(move, mean_reward(role), playouts(), rule_.moving_average);
    }
    if (choices.regrets) update_regrets(*choices.regrets, indices);
    if (rule_.rave && by_lanes_) update_rave_by_lanes(choices, indices);
    if (rule_.rave && !by_lanes_) update_rave(choices, indices);
  }

  // The playouts of one leaf are one joint move.
  void update_regrets(RegretTable& regrets, std::span<const std::uint32_t> indices) const {
    std::vector<double> rewards;
    for (std::size_t role = 0; role < roles_; ++role) rewards.push_back(mean_reward(role));
    regrets.update(indices, rewards);
  }

  // From this node up, every playout counts with this result.
  void replace_sample(const Rewards& known) {
    known_rewards_.resize(sample_.rewards.size());
    for (std::size_t i = 0; i < known_rewards_.size(); ++i) {
      known_rewards_[i] = static_cast<float>(known[i % roles_]) / 100;
    }
    sample_.rewards = known_rewards_;
    for (LaterMoves& later : later_) later.clear();  // these moves did not lead to the known result
    sample_.made = nullptr;
    in_tree_.clear();
  }

  void collect_lines() {
    later_.resize(playouts());
    for (std::size_t p = 0; p < sample_.lines.size(); ++p) {
      const std::vector<Move>& line = sample_.lines[p];
      for (std::size_t i = 0; i < line.size(); ++i) later_[p].insert(key(i % roles_, line[i]));
    }
  }

  void update_rave(Choices& choices, std::span<const std::uint32_t> indices) {
    for (std::size_t role = 0; role < roles_; ++role) {
      const Move made = choices.of_role(role)[indices[role]].move;
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

  // Like update_rave, with the playouts that contain a move as bits.
  void update_rave_by_lanes(Choices& choices, std::span<const std::uint32_t> indices) {
    for (std::size_t role = 0; role < roles_; ++role) {
      const std::span<MoveStatistics> moves = choices.of_role(role);
      if (moves.size() < 2) continue;
      in_tree_.insert(moves[indices[role]].move);
      for (MoveStatistics& move : moves) {
        const bool in_all = in_tree_.contains(move.move);
        std::uint32_t playouts_with = 0;
        float sum = 0;
        for (std::size_t p = 0; p < playouts(); ++p) {
          if (!in_all && !is_made(move.move, p)) continue;
          ++playouts_with;
          sum += sample_.rewards[p * roles_ + role];
        }
        if (playouts_with == 0) continue;
        count(move.rave_visits, playouts_with);
        move.rave_value += (sum - static_cast<float>(playouts_with) * move.rave_value) /
                           static_cast<float>(move.rave_visits);
      }
    }
  }

  bool is_made(Move move, std::size_t playout) const {
    if (sample_.made == nullptr) return false;
    const std::size_t lane = sample_.first + playout;
    return (*sample_.made)[move][lane / 64] >> (lane % 64) & 1;
  }

  void prove(Node& node, std::span<const std::uint32_t> indices, const Worth* exact) const {
    Choices& choices = *node.choices;
    const std::size_t role = choices.decider;
    if (role == nobody || node.exact != nullptr) return;
    const std::span<MoveStatistics> moves = choices.of_role(role);
    moves[indices[role]].exact = exact;
    if (is_best_possible(exact->rewards, role, rule_)) {
      node.exact = one_move_earlier(*exact, eval::hurries(role, exact->rewards));
    } else if (std::all_of(moves.begin(), moves.end(), [](auto& move) { return move.exact; })) {
      const auto best = std::max_element(moves.begin(), moves.end(), [&](auto& a, auto& b) {
        return prefers(rule_.model, role, *b.exact, *a.exact);
      });
      node.exact = one_move_earlier(*best->exact, true);
    }
  }

  const Worth* one_move_earlier(const Worth& after, bool has_distance) const {
    const bool ends = has_distance && after.distance != eval::no_distance;
    return tree_.intern({after.rewards, ends ? after.distance + 1 : eval::no_distance});
  }

  Tree& tree_;
  const Path& path_;
  Sample sample_;
  const BackupRule& rule_;
  std::size_t roles_;
  std::vector<LaterMoves> later_;  // by playout, if lines are recorded
  bool by_lanes_;
  std::unordered_set<Move> in_tree_;  // moves on the path, at and below the current node
  std::vector<float> known_rewards_;
};

}  // namespace

void update(MoveStatistics& move, double reward, std::uint32_t playouts,
            const std::optional<MovingAverage>& average) {
  std::uint32_t in_mean = playouts;
  if (average) in_mean = std::min(playouts, average->start - std::min(average->start, move.visits));
  double kept = 1;  // weight of the old estimate
  if (in_mean > 0) kept = move.visits / (static_cast<double>(move.visits) + in_mean);
  if (average) kept *= std::pow(1 - average->step, playouts - in_mean);
  count(move.visits, playouts);
  move.value = reward + kept * (move.value - reward);
}

bool is_best_possible(const Rewards& rewards, std::size_t role, const BackupRule& rule) {
  for (std::size_t r = 0; r < rewards.size(); ++r) {
    if (r == role ? rewards[r] < rule.best_goals[r] : rewards[r] > 0) return false;
  }
  return true;
}

void cancel(std::span<const Path> paths, std::size_t roles) {
  for (const Path& path : paths) {
    for (std::size_t i = 0; i + 1 < path.nodes.size(); ++i) {
      const std::lock_guard lock(path.nodes[i]->lock);
      Choices& choices = *path.nodes[i]->choices;
      choices.in_flight -= path.playouts;
      const std::span<const std::uint32_t> indices = path.indices_in(i, roles);
      for (std::size_t role = 0; role < roles; ++role) {
        choices.of_role(role)[indices[role]].in_flight -= path.playouts;
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
      if (step < one.steps()) one.update_step(step);
    }
  }
}

}  // namespace zermelo::search

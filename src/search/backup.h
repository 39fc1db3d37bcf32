// The backup phase of MCTS: updates the statistics of the moves with the results of the playouts,
// and propagates proved values from children to parents.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/tree.h"

namespace zermelo::search {

// The moving average of equations 3 and 4.
struct MovingAverage {
  std::uint32_t start = 30;  // M: up to this many playouts, use the arithmetic mean
  double step = 0.05;        // lambda_0, per playout
};

// A path from the root to a leaf: the nodes, and the index of each role's move in each node.
struct Path {
  std::vector<Node*> nodes;            // the leaf is the last
  std::vector<std::uint32_t> indices;  // by node except the leaf, by role
  // By node except the leaf: the known result that replaces the playouts' results in the nodes
  // above, or null.
  std::vector<const Worth*> known;
  std::uint32_t playouts = 1;  // in flight on this path

  void start(Node* root, std::uint32_t playouts_of_path) {
    nodes.assign(1, root);
    playouts = playouts_of_path;
    indices.clear();
    known.clear();
  }

  std::span<const std::uint32_t> indices_in(std::size_t node, std::size_t roles) const {
    return std::span(indices).subspan(node * roles, roles);
  }
};

// The results of some playouts from one leaf.
struct Sample {
  std::span<const float> rewards;            // by playout and role
  std::span<const std::vector<Move>> lines;  // joint moves by playout; empty if not recorded
  // By move, the playouts of a batch in which it was made; null if not recorded. This sample's
  // first playout is `first` of the batch.
  const lanes::Frame* made = nullptr;
  std::size_t first = 0;
};

struct BackupRule {
  std::optional<MovingAverage> moving_average;
  bool rave = false;
  bool proofs = true;  // propagate proved values
  eval::OpponentModel model = eval::OpponentModel::own;
  std::vector<int> best_goals;  // by role, among those that can occur
};

// Adds the mean reward of some playouts to the statistics.
void update(MoveStatistics& move, double reward, std::uint32_t playouts,
            const std::optional<MovingAverage>& average);

// Returns whether no outcome is better for the role: the most for it, the least for all others.
bool is_best_possible(const Rewards& rewards, std::size_t role, const BackupRule& rule);

// Cancels the playouts in flight on the paths.
void cancel(std::span<const Path> paths, std::size_t roles);

// Adds one sample per path. Processes the last steps of all paths first and the first steps last,
// so that a thread updates the nodes near the root, where threads contend, in one go.
void backup(Tree& tree, std::span<const Path> paths, std::span<const Sample> samples,
            const BackupRule& rule);

}  // namespace zermelo::search

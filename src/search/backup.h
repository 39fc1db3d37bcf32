// The backup phase: the results of playouts into the statistics of the moves that led to them, and
// proved values from children to parents.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/tree.h"

namespace zermelo::search {

// The moving average of equations 3 and 4.
struct MovingAverage {
  std::uint32_t start = 30;  // M: up to so many playouts the arithmetic mean
  double step = 0.05;        // lambda_0, for each playout
};

// From the root to a leaf: nodes, and in each of them the place of the move that each role chose.
struct Path {
  std::vector<Node*> nodes;           // the leaf is the last
  std::vector<std::uint32_t> places;  // by node but the leaf, by role
  // By node but the leaf: what the nodes above are told instead of the playouts' results, or null.
  std::vector<const Worth*> known;
  std::uint32_t playouts = 1;  // that are on their way along it

  void start(Node* root, std::uint32_t playouts_of_path) {
    nodes.assign(1, root);
    playouts = playouts_of_path;
    places.clear();
    known.clear();
  }

  std::span<const std::uint32_t> places_in(std::size_t node, std::size_t roles) const {
    return std::span(places).subspan(node * roles, roles);
  }
};

// The results of some playouts from one leaf.
struct Sample {
  std::span<const float> rewards;            // by playout and role
  std::span<const std::vector<Move>> lines;  // by playout, joint moves; empty where not seen
};

struct BackupRule {
  std::optional<MovingAverage> moving_average;
  bool rave = false;
  bool proofs = true;  // proved values go up
  eval::OpponentModel model = eval::OpponentModel::own;
  std::vector<int> best_goals, worst_goals;  // by role, of those that can occur
};

// Takes up the mean reward of some playouts.
void update(MoveStatistics& move, double reward, std::uint32_t playouts,
            const std::optional<MovingAverage>& average);

// Whether no outcome could suit the role better: the most for it, the least for all others.
bool is_best_possible(const Rewards& rewards, std::size_t role, const BackupRule& rule);

// Paths that bring nothing are no longer on their way.
void forget(std::span<const Path> paths, std::size_t roles);

// Takes up a sample for each path. Goes from the last steps of all paths to the first, so that a
// thread has all its business near the root, where threads meet, in one go.
void backup(Tree& tree, std::span<const Path> paths, std::span<const Sample> samples,
            const BackupRule& rule);

}  // namespace zermelo::search

// The expansion phase of MCTS: the moves of a node, and the nodes that moves lead to.
#pragma once

#include "eval/state_values.h"
#include "search/tree.h"

namespace zermelo::search {

class Expansion {
 public:
  // All arguments must outlive the expansion. `values` may be null.
  Expansion(const Simulator& simulator, Tree& tree, const eval::StateValues* values);

  // Lists the moves of a node. The caller must hold its lock. A non-terminal state in which a role
  // has no legal move is worth 0 to every role.
  void open(Node& node);
  // Returns the node after a joint move. A new node is proved at once if it is terminal or known to
  // `values`.
  Tree::Added child(const Node& parent, std::span<const Move> joint, std::uint32_t now);
  // Returns the node of a state, which is created if there is none.
  Tree::Added enter(const State& state, std::uint32_t now);

 private:
  const Worth* known_value(const State& state);

  std::unique_ptr<Walker> walker_;
  Tree& tree_;
  const eval::StateValues* values_;
  std::size_t roles_;
  std::vector<std::span<const Move>> legal_;  // of the node being opened, by role
};

}  // namespace zermelo::search

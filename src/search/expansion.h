// The expansion phase: the moves of a node, and the nodes that moves lead to.
#pragma once

#include "eval/state_values.h"
#include "search/tree.h"

namespace zermelo::search {

class Expansion {
 public:
  // All must outlive the expansion; `values` may be null.
  Expansion(const Simulator& simulator, Tree& tree, const eval::StateValues* values);

  // Lists the moves of a node, whose lock is held. A state that is not terminal and leaves a role
  // without a move is worth nothing to anybody.
  void open(Node& node);
  // The node after a joint move. What is terminal or known to `values` is proved from the start.
  Tree::Added child(const Node& parent, std::span<const Move> joint, std::uint32_t now);
  // The node of a state, made if there is none.
  Tree::Added enter(const State& state, std::uint32_t now);

 private:
  const Worth* known_value(const State& state);

  std::unique_ptr<Walker> walker_;
  Tree& tree_;
  const eval::StateValues* values_;
  std::size_t roles_;
  std::vector<std::span<const Move>> legal_;  // of the node that is opened, by role
};

}  // namespace zermelo::search

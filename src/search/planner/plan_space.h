// A single-player game as a state space for planning: from a state to its successors, with states
// that only a clock tells apart counted as one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "circuit/autonomous.h"
#include "machine/machine.h"
#include "solve/explicit/state_table.h"

namespace zermelo::search::planner {

using machine::Move;
using machine::State;
using Words = std::span<const std::uint64_t>;

// A node of a search: a state without the clock.
using NodeIndex = solve::StateIndex;
inline constexpr NodeIndex no_parent = ~NodeIndex{0};

// The rewards of a line of moves that ends the game.
struct Line {
  int reward = 0;
  std::vector<Move> moves;
};

class PlanSpace {
 public:
  // A game of one role, to be planned from a state of it.
  PlanSpace(std::shared_ptr<const machine::Machine> machine, State root);

  const std::shared_ptr<const machine::Machine>& machine() const { return machine_; }
  const State& root() const { return root_; }
  std::size_t words() const { return clock_mask_.words().size(); }
  // Whether nodes have states without a clock: fluents that the number of steps determines and that
  // neither legal moves nor other fluents depend on. What a node leads to then does not depend on
  // when it is reached; when that ends and with which reward may.
  bool drops_clock() const { return drops_clock_; }

  // Removes the clock from a state, in place.
  void drop_clock(State& state) const;
  // The state of a node that so many moves lead to.
  State at(Words node, std::uint32_t depth);

  // The highest goal of the rules; no line has a higher reward.
  int highest_reward() const;
  // The reward (base/reward.h) of a state that ends the game.
  static int reward(const machine::Cursor& cursor);
  // Makes the moves from the root. Nothing unless they are legal and end the game.
  std::optional<Line> replay(std::span<const Move> moves) const;

 private:
  void find_clock();

  std::shared_ptr<const machine::Machine> machine_;
  State root_;
  State clock_mask_;
  bool drops_clock_ = false;
  std::vector<State> clocks_;          // by depth: the clock's fluents that hold
  std::vector<ground::Atom> running_;  // at the last of them: all that run by themselves
};

// The states that a search has met, and how it met them.
class NodeTable {
 public:
  struct Node {
    NodeIndex parent = no_parent;
    Move move = 0;  // from the parent
    std::uint32_t depth = 0;
  };
  struct Inserted {
    NodeIndex node;
    bool is_new;
  };

  explicit NodeTable(std::size_t words) : states_(words) {}

  // The node of a state without clock; a new one gets `from`.
  Inserted insert(Words state, const Node& from);
  Node& operator[](NodeIndex node) { return nodes_[node]; }
  const Node& operator[](NodeIndex node) const { return nodes_[node]; }
  Words state(NodeIndex node) const { return states_[node]; }
  std::size_t size() const { return nodes_.size(); }
  bool is_full() const { return states_.size() == solve::StateTable::max_states; }
  // The moves from the root.
  std::vector<Move> path(NodeIndex node) const;

 private:
  solve::StateTable states_;
  std::vector<Node> nodes_;
};

}  // namespace zermelo::search::planner

// Monte-Carlo tree search without any extension, one simulation at a time: the algorithm of
// Finnsson and Björnsson, "Game-Tree Properties and MCTS Performance" (GIGA 2011), whose study
// limits the number of expansions. It is slow beside Uct and the twin that tests compare it with.
//
//   PlainMcts mcts(machine, {.seed = 1});
//   mcts.set_root(state);
//   mcts.search({.expansions = 5'000});
//   Move move = mcts.best_move();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/random.h"
#include "machine/machine.h"

namespace zermelo::search {

struct PlainMctsOptions {
  double exploration = 1.4142135623730951;  // 2 Cp with Cp = 1 / sqrt(2), for rewards from 0 to 1
  std::uint64_t seed = 1;
};

// The search ends after the simulation in which a limit is reached. A missing limit means
// unlimited.
struct PlainMctsBudget {
  std::optional<std::uint64_t> expansions = {};  // states made, in the tree and in playouts
  std::optional<std::uint64_t> simulations = {};
};

class PlainMcts {
 public:
  // The game must be turn-taking: in every state at most one role has several legal moves.
  PlainMcts(std::shared_ptr<const machine::Machine> machine, PlainMctsOptions options);

  // Starts a new tree at a state that is not terminal.
  void set_root(const machine::State& state);
  // Continues the search from the current tree; the budget counts from the last set_root. Ends
  // early if a stop is requested.
  void search(const PlainMctsBudget& budget, const std::stop_token& stop = {});
  // Returns the move of the role that decides at the root with the highest mean reward. Requires a
  // simulation.
  machine::Move best_move() const;

  std::uint64_t expansions() const { return expansions_; }
  std::uint64_t simulations() const { return simulations_; }
  // Returns how many simulations since set_root ended in a terminal state in which some role has no
  // reward of 50.
  std::uint64_t decided_simulations() const { return decided_; }

 private:
  struct Node;
  struct Child {
    machine::Move move = 0;
    std::uint32_t visits = 0;
    double total = 0;                 // rewards of the role that decides in the parent, 0 to 1
    std::unique_ptr<Node> node = {};  // once visited
  };
  struct Node {
    std::size_t decider = 0;
    std::uint32_t visits = 0;
    std::vector<Child> children;
  };

  void simulate();
  std::unique_ptr<Node> make_node();
  std::size_t select(const Node& node);
  void make(std::size_t decider, machine::Move move);
  void play_out();
  double reward(std::size_t role) const;

  machine::Cursor cursor_;
  PlainMctsOptions options_;
  base::Random random_;
  std::unique_ptr<Node> root_;
  std::vector<machine::Move> joint_;
  std::vector<std::pair<Node*, std::size_t>> path_;
  std::vector<std::size_t> untried_;
  std::uint64_t expansions_ = 0, simulations_ = 0, decided_ = 0;
};

}  // namespace zermelo::search

// Random games, one state at a time.
//
//   for (RandomWalk walk(machine, {.seed = 7});; use(walk.state()))
//     if (!walk.advance()) walk.restart();
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "machine/machine.h"

namespace zermelo::analysis {

struct WalkOptions {
  std::uint64_t seed = 1;
  std::size_t max_depth = ~std::size_t{0};  // moves of one game
  bool past_terminal = false;               // games continue after terminal states
};

class RandomWalk {
 public:
  // Starts at the initial state.
  RandomWalk(std::shared_ptr<const machine::Machine> machine, const WalkOptions& options);

  machine::State state() const { return cursor_.state(); }
  std::size_t depth() const { return cursor_.depth(); }
  // Makes a legal joint move, each with the same probability. Returns false, and makes none, if the
  // game is over, a role has no legal move, or the game has reached the maximum depth.
  bool advance();
  // Returns to the initial state; the random numbers continue.
  void restart() { cursor_.reset(initial_); }

 private:
  WalkOptions options_;
  machine::Cursor cursor_;
  machine::State initial_;
  base::Random random_;
  std::vector<base::Move> joint_;
};

}  // namespace zermelo::analysis

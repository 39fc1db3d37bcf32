// Flat Monte-Carlo move selection on any engine, for games that are not grounded, or not yet.
#pragma once

#include <memory>
#include <vector>

#include "base/random.h"
#include "search/simulator.h"

namespace zermelo::serve {

// Plays random games after each legal move of a role in turn.
class Sampling {
 public:
  // The state must not be terminal, and every role must have a legal move in it. The simulator and
  // the random number generator must outlive this object.
  Sampling(const search::Simulator& simulator, const search::State& state, std::size_t role,
           base::Random& random);

  // Plays one game. If the engine throws, the game does not count.
  void play();
  // Returns the move with the best average so far.
  search::Move best() const;

 private:
  struct Average {
    search::Move move;
    double sum = 0;
    double games = 0;

    double value() const { return games > 0 ? sum / games : 0; }
  };

  std::unique_ptr<search::Walker> walker_;
  search::State state_;
  std::size_t role_;
  base::Random& random_;
  std::vector<Average> averages_;
  std::size_t next_ = 0;
  std::vector<search::Move> joint_;  // by role
};

}  // namespace zermelo::serve

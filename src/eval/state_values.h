// Where exact values of states come from: solved games, as search and play see them.
#pragma once

#include <optional>

#include "eval/opponent_model.h"
#include "machine/machine.h"

namespace zermelo::eval {

class StateValues {
 public:
  virtual ~StateValues();

  // The rewards with best play from the state; nothing where they are not known, or play never
  // ends. May be called by several threads at once.
  virtual std::optional<Rewards> value(const machine::State& state) const = 0;
  // Moves to the end with best play, where known.
  virtual std::optional<Distance> distance(const machine::State& state) const;
  // What best play means: the order of outcomes.
  virtual OpponentModel model() const;

  // Both together.
  std::optional<Worth> worth(const machine::State& state) const;
};

}  // namespace zermelo::eval

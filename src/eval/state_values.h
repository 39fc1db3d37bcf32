// Interface to exact values of states from solved games, for search and play.
#pragma once

#include <optional>

#include "base/result.h"
#include "eval/opponent_model.h"
#include "machine/machine.h"

namespace zermelo::eval {

class StateValues {
 public:
  virtual ~StateValues();

  // Returns the rewards of best play from the state; nullopt if they are unknown or play never
  // ends. May be called by several threads at once.
  virtual std::optional<Rewards> value(const machine::State& state) const = 0;
  // Returns the number of moves to the end with best play, if known.
  virtual std::optional<Distance> distance(const machine::State& state) const;
  // Returns the first error met while reading values. Values requested since then may be missing,
  // so callers must not use answers that depend on them.
  virtual std::optional<base::Error> read_error() const;
  // Returns the order of outcomes that defines best play.
  virtual OpponentModel model() const;

  // Returns the rewards and the distance together.
  std::optional<Worth> worth(const machine::State& state) const;
};

}  // namespace zermelo::eval

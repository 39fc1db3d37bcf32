// Where exact values of states come from: solved games, as search and play see them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine/machine.h"

namespace zermelo::eval {

// Goals by role, 0 to 100.
using Rewards = std::vector<int>;

class StateValues {
 public:
  virtual ~StateValues();

  // The rewards with best play from the state; nothing where they are not known. May be called by
  // several threads at once.
  virtual std::optional<Rewards> value(const machine::State& state) const = 0;
  // Moves to the end with best play, where known.
  virtual std::optional<std::uint32_t> distance(const machine::State& state) const;
};

}  // namespace zermelo::eval

// States of a part of a game: those fluents of a state that are in a mask.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/machine.h"

namespace zermelo::search::decomposition {

// Takes the fluents of the mask from `other`.
inline void replace_local(machine::State& state, const machine::State& other,
                          const machine::State& mask) {
  for (std::size_t w = 0; w < state.words().size(); ++w) {
    const std::uint64_t bits = mask.words()[w];
    state.words()[w] = (state.words()[w] & ~bits) | (other.words()[w] & bits);
  }
}

// Returns the state with the fluents of the mask taken from `other`.
inline machine::State with_local(machine::State state, const machine::State& other,
                                 const machine::State& mask) {
  replace_local(state, other, mask);
  return state;
}

}  // namespace zermelo::search::decomposition

// The clock of a game: its autonomous fluents, whose next values depend neither on the moves nor on
// any other fluent. Examples are step counters, an alternating control, and constants.
//
// All states of a layer agree on them, so the number of the layer represents them: they are not
// variables of a state, and rules are specialised to their values.
#pragma once

#include <cstddef>
#include <vector>

#include "circuit/autonomous.h"
#include "ground/game.h"

namespace zermelo::symbolic {

struct Clock {
  std::vector<ground::Atom> fluents;               // ascending
  std::vector<std::vector<ground::Atom>> showing;  // by position, the fluents that hold
  std::size_t back_to = 0;                         // the position after the last one

  std::size_t positions() const { return showing.size(); }
  std::size_t period() const { return positions() - back_to; }
  // The position of the clock in a layer.
  std::size_t position(std::size_t layer) const {
    return layer < positions() ? layer : back_to + (layer - back_to) % period();
  }
};

// If the clock would have more than `max_positions`, it has no fluents and one position instead.
Clock find_clock(const circuit::AutonomousFluents& autonomous, std::size_t max_positions = 4096);
// For a game that is not compiled.
Clock find_clock(const ground::Game& game, std::size_t max_positions = 4096);

}  // namespace zermelo::symbolic

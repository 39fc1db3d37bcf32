#include "symbolic/clock.h"

#include <map>
#include <utility>

namespace zermelo::symbolic {

using ground::Atom;

// The fluents are stepped from the initial state until they repeat.
Clock find_clock(const circuit::AutonomousFluents& autonomous, std::size_t max_positions) {
  Clock clock;
  clock.fluents = autonomous.fluents();
  std::map<std::vector<Atom>, std::size_t> position_of;
  std::vector<Atom> showing = autonomous.initial();
  while (position_of.try_emplace(showing, clock.positions()).second) {
    if (clock.positions() == max_positions) return {{}, {{}}, 0};
    clock.showing.push_back(showing);
    showing = autonomous.after(showing);
  }
  clock.back_to = position_of.at(showing);
  return clock;
}

Clock find_clock(const ground::Game& game, std::size_t max_positions) {
  return find_clock(circuit::AutonomousFluents(game), max_positions);
}

}  // namespace zermelo::symbolic

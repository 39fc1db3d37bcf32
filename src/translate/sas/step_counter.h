// Autonomous fluents (circuit/autonomous.h) whose only effect is to end the game.
#pragma once

#include <vector>

#include "ground/game.h"

namespace zermelo::translate::sas {

struct StepCounter {
  std::vector<ground::Atom> fluents;  // ascending; empty where there is none
  std::vector<bool> dependent;        // by atom: the fluents and what is derived from them
};

// The largest set of fluents whose next values depend neither on moves nor on other fluents, and
// from which nothing else is derived but `terminal`. Empty where `terminal` would have no other
// rule left.
StepCounter find_step_counter(const ground::Game& game);

}  // namespace zermelo::translate::sas

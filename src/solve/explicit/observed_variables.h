// The variables of the diagrams of explicitly listed states.
#pragma once

#include "ground/game.h"
#include "machine/machine.h"
#include "solve/explicit/limit_watch.h"
#include "solve/explicit/state_table.h"
#include "solve/folder/state_code.h"

namespace zermelo::solve {

// Reads a state of one bit per fluent into memory that is reused.
void read_state(const StateTable& states, StateIndex index, machine::State& state);

// Groups of fluents of which no two hold together in any of the states. The result is incomplete if
// the watch has stopped.
Variables observed_variables(const StateTable& states, const ground::Game& game, LimitWatch& watch);

}  // namespace zermelo::solve

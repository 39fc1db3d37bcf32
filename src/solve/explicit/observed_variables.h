// The variables of the diagrams of explicitly listed states.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/game.h"
#include "machine/machine.h"
#include "solve/explicit/limit_watch.h"
#include "solve/explicit/state_table.h"
#include "solve/folder/state_code.h"

namespace zermelo::solve {

// Reads a state of one bit per fluent into memory that is reused.
void read_state(const StateTable& states, StateIndex index, machine::State& state);

using FluentGroup = std::vector<ground::Atom>;

// Groups of fluents of which no two hold together in any of the states. The result is incomplete if
// the watch has stopped.
Variables observed_variables(const StateTable& states, const ground::Game& game, LimitWatch& watch);

// The steps of observed_variables, for states that are not in one table.

// By fluent, the fluents that hold together with it in some state, including itself.
std::vector<machine::State> companions(const StateTable& states, std::size_t fluents,
                                       LimitWatch& watch);
std::vector<FluentGroup> exclusive_groups(const std::vector<machine::State>& companions,
                                          const ground::Game& game);
// By group, the states that have one of its fluents.
std::vector<std::uint64_t> states_with_one(const StateTable& states,
                                           const std::vector<FluentGroup>& groups,
                                           std::size_t fluents, LimitWatch& watch);
Variables variables_of(const std::vector<FluentGroup>& groups,
                       const std::vector<std::uint64_t>& with_one, std::uint64_t states,
                       const ground::Game& game);

}  // namespace zermelo::solve

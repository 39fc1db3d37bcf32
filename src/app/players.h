// What the requests that play have in common: the simulator, the players and stored values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/rules.h"
#include "eval/state_values.h"
#include "play/agent.h"
#include "search/simulator.h"

namespace zermelo::app {

using Simulator = std::shared_ptr<const search::Simulator>;
using Values = std::shared_ptr<const eval::StateValues>;

// Makes the fastest simulator that the limits permit. Fails with time_limit if it is cancelled.
// `reference_limits` are those of the reference engine, which is used if grounding reaches a limit;
// they stay in force while it plays.
base::Result<Simulator> make_simulator(const Rules& rules, const ResourceLimits& limits,
                                       const Context& context,
                                       const base::Limits& reference_limits = {});

// Grounds and compiles the rules, for games that a simulator does not step: those with hidden
// information.
base::Result<std::shared_ptr<const machine::Machine>> make_hidden_machine(
    const Rules& rules, const base::Limits& limits);

// Opens the stored solution of the same rules; null if the folder is empty.
base::Result<Values> open_values(const std::string& folder, const search::Simulator& simulator);

// Reads one player. Fails with invalid_request if the text does not specify one.
base::Result<play::AgentSpec> read_player(const std::string& text);
// Reads one player per role; missing ones are `random`. Fails with invalid_request if a text
// does not specify a player or there are more texts than roles.
base::Result<std::vector<play::AgentSpec>> read_players(const std::vector<std::string>& texts,
                                                        std::size_t roles);

}  // namespace zermelo::app

// `auto`: decides with what kind of player to play a game.
//
//   AutoChoice choice = choose_automatically(spec, {simulator, role, seed}, limits);
//   auto agent = make_agent(choice.spec, seat);
//
// The decision depends on the game alone, not on the role or the position, so it is made once per
// game and serves all agents.
#pragma once

#include <string>

#include "base/limits.h"
#include "play/agent.h"

namespace zermelo::play {

struct AutoChoice {
  AgentSpec spec;      // not automatic
  std::string reason;  // a sentence, for a log
};

// The time for the decision if the specification has none.
inline constexpr Seconds default_preparation{4};

// Decides within the preparation time of the specification and the limits. Never fails: if there is
// no time to compare players, the traits of the game decide, and UCT plays every game.
AutoChoice choose_automatically(const AgentSpec& spec, const Seat& seat,
                                const base::Limits& limits = {});

// Returns the specification itself, or what `auto` decides on.
AgentSpec resolved(const AgentSpec& spec, const Seat& seat, const base::Limits& limits = {});

}  // namespace zermelo::play

// Measures how often a player keeps the value of a position, by the exact values of a solved game.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "base/statistics.h"
#include "eval/state_values.h"
#include "play/agent.h"

namespace zermelo::play {

// A position in which one role has several moves and every other role has one.
struct ChoicePosition {
  State state;
  std::size_t role = 0;      // the role with the choice
  bool is_decisive = false;  // some move loses value
};

struct Strength {
  base::Interval kept;              // share of the positions in which the value was kept
  base::Interval kept_of_decisive;  // the same for decisive positions only
  std::size_t decisive = 0;
};

// Plays random games from the initial state and takes one position with a choice from each,
// uniformly at random. Games without such a position are skipped. Fails with not_applicable if the
// values do not cover the game or no position has a choice.
base::Result<std::vector<ChoicePosition>> random_positions(const search::Simulator& simulator,
                                                           const eval::StateValues& values,
                                                           std::size_t count, std::uint64_t seed);

// Creates a new agent for each position and asks it for a move. Fails with time_limit if cancelled.
base::Result<Strength> measure_strength(const std::shared_ptr<const search::Simulator>& simulator,
                                        const eval::StateValues& values, const AgentSpec& spec,
                                        const std::vector<ChoicePosition>& positions,
                                        std::uint64_t seed, const std::stop_token& stop = {});

}  // namespace zermelo::play

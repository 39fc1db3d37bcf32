// How often a player keeps what a position is worth, by the exact values of a solved game.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "base/statistics.h"
#include "eval/state_values.h"
#include "play/agent.h"

namespace zermelo::play {

// A position in which one role has several moves and every other role one.
struct ChoicePosition {
  State state;
  std::size_t role = 0;      // that chooses
  bool is_decisive = false;  // some move loses value
};

struct Strength {
  base::Interval kept;              // share of the positions in which value was kept
  base::Interval kept_of_decisive;  // the same of those that are decisive
  std::size_t decisive = 0;
};

// Random games are played from the start; of each that has some, one position with a choice is
// taken, all with the same probability. Fails with not_applicable where the values do not cover the
// game or no position has a choice.
base::Result<std::vector<ChoicePosition>> random_positions(const search::Simulator& simulator,
                                                           const eval::StateValues& values,
                                                           std::size_t count, std::uint64_t seed);

// Asks a new agent for its move in each position. Fails with time_limit when it is cancelled.
base::Result<Strength> measure_strength(const std::shared_ptr<const search::Simulator>& simulator,
                                        const eval::StateValues& values, const AgentSpec& spec,
                                        const std::vector<ChoicePosition>& positions,
                                        std::uint64_t seed, const std::stop_token& stop = {});

}  // namespace zermelo::play

// Planning: the best reward of a single-player game and the moves that reach it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/rules.h"
#include "base/result.h"

namespace zermelo::app {

struct PlanRequest {
  Rules rules = {};
  std::string planner = "native";
  std::uint64_t seed = 1;
  ResourceLimits limits = {};
};

struct PlanSeconds {
  double translate = 0;  // reading, grounding and compiling the rules
  double planner = 0;
};

struct PlanReport {
  std::string planner;
  std::optional<int> reward;       // of the moves; nothing if no end of the game was found
  std::vector<std::string> moves;  // as the rules write them, up to the end of the game
  bool is_optimal = false;         // it is proved that no other moves have a higher reward
  bool is_validated = false;       // the reference engine gives the same reward for the moves
  PlanSeconds seconds;
  std::optional<base::Error> stopped;  // the limit that was reached before the proof

  // Whether the moves have a reward above 0.
  bool is_solved() const { return reward.value_or(0) > 0; }
  // Whether it is proved that no moves have a reward above 0.
  bool is_unsolvable() const { return is_optimal && !is_solved(); }
};

// Plans until the best moves are proved or a limit is reached; the best so far are then in the
// report. Fails with invalid_request for an unknown planner, with not_applicable for games that are
// not of one role, and at a limit before the search has begun. Moves are replayed in the reference
// engine first: a plan that does not replay is an error.
base::Result<PlanReport> plan(const PlanRequest& request, const Context& context = {});

}  // namespace zermelo::app

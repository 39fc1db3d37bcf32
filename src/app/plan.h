// Planning: the best reward of a single-player game and the moves that reach it.
//
// The native planner needs nothing else. Planners of others are separate programs; see
// app/planners/external_planner.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/planners/external_planner.h"
#include "app/rules.h"
#include "base/result.h"

namespace zermelo::app {

struct PlanRequest {
  Rules rules = {};
  std::string planner = "native";  // or one that ExternalPlanner::make takes
  // The native planner and others at the same time: `planner`, or if that is native, all that have
  // a name.
  bool race = false;
  PlannerOptions external = {};
  std::uint64_t seed = 1;
  ResourceLimits limits = {};
};

struct PlanSeconds {
  double translate = 0;  // reading, grounding and compiling the rules
  double planner = 0;
};

// A planner of a race that could not be used, or whose plan was wrong.
struct PlannerFailure {
  std::string planner;
  std::string message;
};

struct PlanReport {
  std::string planner;             // whose plan it is; without a plan, the one that was asked for
  std::optional<int> reward;       // of the moves; nothing if no end of the game was found
  std::vector<std::string> moves;  // as the rules write them, up to the end of the game
  bool is_optimal = false;         // it is proved that no other moves have a higher reward
  bool is_validated = false;       // the reference engine gives the same reward for the moves
  PlanSeconds seconds;
  std::optional<base::Error> stopped;  // the limit that was reached before the proof
  std::vector<PlannerFailure> failures;

  // Whether the moves have a reward above 0.
  bool is_solved() const { return reward.value_or(0) > 0; }
  // Whether it is proved that no moves have a reward above 0.
  bool is_unsolvable() const { return is_optimal && !is_solved(); }
};

// Plans until the best moves are proved, a limit is reached, or an external planner has nothing
// left to try; the best so far are then in the report. Planners are installed before the time limit
// starts. Fails with invalid_request for an unknown planner, with not_applicable for games that are
// not of one role and for planners that fail, and at a limit before the search has begun. Moves are
// replayed in the reference engine first: a plan that does not replay is an error. In a race, the
// failure of a planner other than the native one is only reported.
base::Result<PlanReport> plan(const PlanRequest& request, const Context& context = {});

}  // namespace zermelo::app

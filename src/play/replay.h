// A recorded game, step by step, checked against the rules.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eval/state_values.h"
#include "play/match_record.h"
#include "search/simulator.h"

namespace zermelo::play {

struct ReplayStep {
  std::vector<std::string> moves;       // by role
  std::optional<eval::Rewards> value;   // of the state after it, where known
  std::vector<std::string> lost_value;  // the roles that had a choice and whose value fell
  std::string board;                    // a drawing of the state after it, or empty
};

struct Replay {
  std::vector<ReplayStep> steps;  // the first has no moves
  std::vector<int> goals;         // by role, if the game ended
  std::string problem;            // why the record contradicts the rules, or empty
};

// Plays the recorded moves until the end of the record or the first contradiction. `values` may be
// null.
Replay replay(const search::Simulator& simulator, const MatchRecord& record,
              std::shared_ptr<const eval::StateValues> values);

}  // namespace zermelo::play

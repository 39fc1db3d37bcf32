// A recorded game, checked against the rules.
#pragma once

#include <string>

#include "app/context.h"
#include "app/rules.h"
#include "play/replay.h"

namespace zermelo::app {

struct ReplayRequest {
  play::MatchRecord record;
  Rules rules;
  std::string values = {};  // folder of a stored solution; empty: moves are not judged
  ResourceLimits limits = {};
};

// Reads the record in a file. Fails with unreadable_input.
base::Result<play::MatchRecord> read_record(const std::string& path);

// Fails if the game cannot be played or the stored solution is of another game. A record that
// contradicts the rules is a result with a problem.
base::Result<play::Replay> replay(const ReplayRequest& request, const Context& context = {});

}  // namespace zermelo::app

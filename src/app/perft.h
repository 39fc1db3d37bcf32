// Joint-move sequences of each length from the initial state.
#pragma once

#include <vector>

#include "app/context.h"
#include "app/playout_engine.h"
#include "machine/perft.h"

namespace zermelo::app {

struct PerftRequest {
  Rules rules;
  std::size_t depth = 0;
  PlayoutEngine engine = PlayoutEngine::fast;
  ResourceLimits limits = {};
};

struct PerftCounts {
  PlayoutEngine engine = PlayoutEngine::fast;
  std::vector<machine::PerftDepth> depths;  // from 0 to the depth of the request
  double seconds = 0;
  // The limit that ended the count; `depths` are then lower bounds.
  std::optional<base::Error> stopped = {};
};

// Fails with invalid_request for an engine that does not step single states, and at a limit before
// the count has begun.
base::Result<PerftCounts> perft(const PerftRequest& request, const Context& context = {});

}  // namespace zermelo::app

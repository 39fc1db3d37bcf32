// Rulesheet to Game: the normalisation passes, then bottom-up grounding.
#pragma once

#include <memory>

#include "base/limits.h"
#include "base/result.h"
#include "gdl/rulesheet.h"
#include "ground/game.h"

namespace zermelo::ground {

struct Options {
  base::Limits limits;
};

// Requires a valid rulesheet (gdl::check_validity without errors). Fails with memory_limit or
// time_limit, naming the rule that grows, and with not_applicable for GDL-II.
base::Result<Game> ground(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                          const Options& options = {});

}  // namespace zermelo::ground

// Grounds a Rulesheet: normalisation passes, then bottom-up grounding.
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

// Returns the ground game, of GDL-II too. Fails with memory_limit or time_limit, naming the rule
// with the most instances, and with not_applicable if the rules compute too many numbers or use a
// program or library that nobody allowed (gdl/functions.h). Requires a valid rulesheet
// (gdl::check_validity reports no errors).
base::Result<Game> ground(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                          const Options& options = {});

}  // namespace zermelo::ground

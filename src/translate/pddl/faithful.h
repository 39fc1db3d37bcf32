// A single-player game as lifted PDDL, by the translation of Rauber, Kissmann and Hoffmann (2013).
#pragma once

#include <memory>

#include "base/limits.h"
#include "base/result.h"
#include "gdl/rulesheet.h"
#include "translate/planning_text.h"

namespace zermelo::translate::pddl {

struct FaithfulOptions {
  Aim aim = Aim::rewards;
  int least_reward = 1;  // of Aim::rewards: lower ones do not count as solutions
  base::Limits limits = {};
};

// The domain and the problem. Requires a valid rulesheet. Fails with not_applicable where the game
// has several roles, chance or hidden information, or no goal value above 0, and at a limit.
base::Result<TaskText> to_faithful_pddl(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                        const FaithfulOptions& options = {});

}  // namespace zermelo::translate::pddl

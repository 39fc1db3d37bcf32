// What each set of roles can secure, and how to share it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/context.h"
#include "app/cost.h"
#include "base/result.h"
#include "gdl/rulesheet.h"
#include "solve/simultaneous/coalitions.h"

namespace zermelo::app {

struct CoalitionRequest {
  std::shared_ptr<const gdl::Rulesheet> rules = {};  // valid ones
  ResourceLimits limits = {};
};

struct CoalitionResult {
  std::vector<std::string> roles;
  solve::CoalitionValues values;
  std::vector<double> shapley;  // by role
  solve::LeastCore core;
  std::optional<std::pair<solve::Coalition, solve::Coalition>> violation;  // of superadditivity
  Cost cost;

  std::vector<std::string> members(solve::Coalition coalition) const;
};

// Fails like solve::coalition_values, and if the game cannot be grounded.
base::Result<CoalitionResult> coalition(const CoalitionRequest& request,
                                        const Context& context = {});

// The values of all coalitions as a bar chart, and the shares of each role.
std::string coalition_picture(const CoalitionResult& result, const std::string& title);

}  // namespace zermelo::app

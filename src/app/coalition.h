// What each set of roles can secure, and how to share it.
#pragma once

#include <cstdint>
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
  // Games per coalition; nullopt: the game is solved.
  std::optional<std::uint64_t> games = {};
  std::string player = "uct";            // of all roles in these games, as play/agent.h describes
  std::optional<unsigned> threads = {};  // parallel games; nullopt: all cores
  std::uint64_t seed = 1;
  ResourceLimits limits = {};
};

struct CoalitionResult {
  std::vector<std::string> roles;
  // Proved bounds, or 95% intervals of the means of games, before they are cut to possible sums.
  solve::CoalitionValues values;
  std::optional<std::uint64_t> games;  // per coalition, if the values are means of games
  std::vector<double> shapley;         // by role
  solve::LeastCore core;
  std::optional<std::pair<solve::Coalition, solve::Coalition>> violation;  // of superadditivity
  Cost cost;

  std::vector<std::string> members(solve::Coalition coalition) const;
};

// Solves the game for every coalition, or plays games in which a coalition maximises the sum of its
// rewards and all others together minimise it. Fails like solve::coalition_values, and if the game
// cannot be grounded. With games, it fails with invalid_request for an unknown player, like
// play::run_match, at a limit, and with not_applicable if a game does not end.
base::Result<CoalitionResult> coalition(const CoalitionRequest& request,
                                        const Context& context = {});

// The values of all coalitions as a bar chart, and the shares of each role.
std::string coalition_picture(const CoalitionResult& result, const std::string& title);

}  // namespace zermelo::app

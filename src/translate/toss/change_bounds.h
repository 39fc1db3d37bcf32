// Bounds on what a step changes: how many state terms it can add and how many it can remove.
//
//   const ChangeBounds bounds = bound_changes(game, groups, limits);
//   for (const ChangeCount& count : bounds.by_owner[role]) ...
#pragma once

#include <compare>
#include <cstddef>
#include <set>
#include <vector>

#include "analysis/mutex_groups.h"
#include "base/limits.h"
#include "ground/game.h"
#include "translate/toss/three_valued.h"

namespace zermelo::translate::toss {

struct ChangeCount {
  std::size_t added = 0, removed = 0;
  auto operator<=>(const ChangeCount&) const = default;
};

struct ChangeBounds {
  // Whether in every reachable state at most one role has a choice. If not, this is only unproved.
  bool turn_taking = true;
  // By role: what the steps may change in which this role chooses, or the first role where no role
  // has a choice. Without a proof that the game is turn-taking there is one entry for all steps.
  std::vector<std::set<ChangeCount>> by_owner;
};

// All counts that occur in plays are among the result. Throws base::LimitReached.
ChangeBounds bound_changes(const ground::Game& game, const analysis::MutexGroups& groups,
                           const base::Limits& limits, Reevaluation how = Reevaluation::changed);

}  // namespace zermelo::translate::toss

// The reward of a role in a terminal state, the same for all engines and commands.
//
// GDL asks for exactly one goal value per role in every terminal state, and does not define what
// other rules mean. Here a role without a goal value has achieved nothing: its reward is 0. Of
// several values the largest counts: rules that list achievements without excluding the lower ones
// mean the highest, and a planner that may choose among the goals of a state chooses it too.
#pragma once

#include <vector>

namespace zermelo::base {

// Requires ascending goal values.
inline int reward_of(const std::vector<int>& goals) { return goals.empty() ? 0 : goals.back(); }

}  // namespace zermelo::base

// A planning task in PDDL.
#pragma once

#include <string>

#include "translate/glossary.h"

namespace zermelo::translate {

// What the planner is asked for.
enum class Aim {
  rewards,  // any reward from `least_reward` on; the cheaper the plan, the higher the reward
  maximum,  // the highest value among the goal rules, as a condition of the last state
};

namespace pddl {

struct TaskText {
  std::string domain;
  std::string problem;
  Glossary glossary;
};

}  // namespace pddl
}  // namespace zermelo::translate

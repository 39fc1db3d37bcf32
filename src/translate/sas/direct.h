// A single-player game as a planning task with real effects: one operator per move, no update in
// three steps.
#pragma once

#include <vector>

#include "analysis/mutex_groups.h"
#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"
#include "translate/planning_text.h"
#include "translate/sas/task.h"

namespace zermelo::translate::sas {

struct DirectOptions {
  Aim aim = Aim::rewards;
  int least_reward = 1;  // of Aim::rewards: lower ones do not count as solutions
  // Moves cost 1 instead of 0, so that of two plans for the same reward the shorter is cheaper. A
  // longer plan for a higher reward may then lose against a shorter one for a lower reward.
  bool unit_cost = false;
  // Leaves out autonomous fluents whose only effect is to end the game, and the rules by which they
  // end it. A plan may then be longer than the game allows: replay it. Task::step_counter says
  // which fluents were left out; none where the goals depend on them or nothing else ends the game.
  bool drop_step_counter = false;
  // Mutex groups as variables; otherwise, and in games with very many rules, every fluent is a
  // variable of its own.
  bool use_groups = true;
  // What groups_for_task returned for the same game, where several tasks are made of it; null:
  // they are found again.
  const std::vector<analysis::MutexGroup>* groups = nullptr;
  base::Limits limits = {};
};

// The mutex groups that to_task uses: none in games with very many rules.
std::vector<analysis::MutexGroup> groups_for_task(const ground::Game& game,
                                                  const base::Limits& limits);

// Fails with not_applicable where the game has several roles or no goal value above 0, and at a
// limit.
base::Result<Task> to_task(const ground::Game& game, const DirectOptions& options = {});

}  // namespace zermelo::translate::sas

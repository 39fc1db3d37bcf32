// One run of an external planner on one planning task.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/mutex_groups.h"
#include "app/planners/best_plan.h"
#include "app/translate.h"
#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"
#include "translate/glossary.h"
#include "translate/planning_text.h"

namespace zermelo::app {

// The task that a planner gets.
struct TaskKind {
  TaskStyle style = TaskStyle::direct;
  bool as_sas = false;  // otherwise PDDL; requires the direct style
  translate::Aim aim = translate::Aim::rewards;
  int least_reward = 1;
  bool drop_step_counter = false;
};

// Which answers of a planner count as proofs.
enum class Proves : std::uint8_t {
  nothing,
  no_plan,     // if it ends without a plan, there is none
  optimality,  // the same, and its plan is the cheapest
};

enum class AttemptEnd : std::uint8_t {
  found,      // a plan
  exhausted,  // it ended by itself, without a plan or with one that is too long
  out_of_memory,
  stopped,  // at a limit, without a plan
};

struct PlannerCommand {
  std::string planner;                 // its name, for messages
  std::vector<std::string> arguments;  // the files of the task are in its working folder
  std::filesystem::path input = {};    // its standard input, in the working folder
  bool has_exit_codes = false;         // those of Fast Downward
  Proves proves = Proves::nothing;
};

// The names of files in the working folder.
inline constexpr const char* sas_file = "output.sas";
inline constexpr const char* domain_file = "domain.pddl";
inline constexpr const char* problem_file = "problem.pddl";
inline constexpr const char* plan_file = "plan";

struct AttemptRequest {
  Rules rules;
  const ground::Game& game;
  const std::vector<analysis::MutexGroup>& groups;  // of translate::sas::groups_for_task
  TaskKind task;
  PlannerCommand command;
  base::Limits limits;
  std::size_t memory_bytes = 0;
};

// Translates, runs the planner and offers its plans to `best`. Plans are read from the file `plan`
// and from plan.1, plan.2 and so on, also when the planner was stopped. Fails with not_applicable
// if the planner fails or a plan is wrong, and if the translation does. A plan of a task without
// step counter may be too long for the game; that is an attempt without a plan.
base::Result<AttemptEnd> run_attempt(const AttemptRequest& request, BestPlan& best);

}  // namespace zermelo::app

// Planners of others: Fast Downward, SymK, and any program that reads PDDL.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/context.h"
#include "app/planners/best_plan.h"
#include "app/planners/installation.h"
#include "app/translate.h"
#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"

namespace zermelo::app {

// How an external planner is run.
struct PlannerOptions {
  TaskStyle style = TaskStyle::direct;
  // The search of Fast Downward or SymK, as they name it; nothing: the portfolio.
  std::optional<std::string> search = {};
  bool drop_step_counter = false;  // of a given search; the portfolio does both
};

class ExternalPlanner {
 public:
  // Names and paths: "fast-downward", "symk", or a text with a slash. Installs the first two if
  // necessary. Fails with invalid_request for any other name and for options that the planner does
  // not have.
  static base::Result<ExternalPlanner> make(const std::string& name, const PlannerOptions& options,
                                            const Context& context);

  const std::string& name() const { return name_; }

  struct Problem {
    Rules rules;
    const ground::Game& game;
    BestPlan& best;
    base::Limits limits;
    std::size_t memory_bytes;  // of the planner's processes, each
  };

  // Runs the planner until the best plan is optimal, a limit is reached, or it has nothing left to
  // try. Every plan goes to problem.best. Fails with a limit if one stopped it, and with
  // not_applicable if the planner fails or its plan is wrong.
  base::Result<void> improve(const Problem& problem) const;

 private:
  enum class Kind { fast_downward, symk, program };

  ExternalPlanner(std::string name, Kind kind, PlannerOptions options)
      : name_(std::move(name)), kind_(kind), options_(std::move(options)) {}

  std::string name_;
  Kind kind_;
  PlannerOptions options_;
  InstalledPlanner installed_;  // not of a program
};

// Whether the name can be one of an external planner.
bool is_external_planner(const std::string& name);

}  // namespace zermelo::app

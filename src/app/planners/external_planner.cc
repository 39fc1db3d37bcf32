// Fast Downward is run with a portfolio, in turns that grow: a search that finds a plan at all
// often does so at once. The first searches look for the highest goal value of the rules. The
// others take any reward above the best so far, and the last one proves that there is none.
//
//   lazy_greedy  the configuration of the 2013 paper: relaxed plans, preferred moves
//   negative     the same; negated axioms are also relaxed
//   type_based   relaxed plans, and states chosen by their kind alone, which escapes plateaus
//   goal_count   no heuristic but the number of goals that are left: many states per second
//   blind        breadth-first: its failure is a proof
//
// Most games count their steps, which misleads relaxed plans; so a search runs with and without the
// counter (DirectOptions::drop_step_counter).
//
// SymK searches symbolically for a cheapest plan, so its first plan is the best. A program that the
// user names is asked for any reward, and again for a higher one as long as it finds plans.
#include "app/planners/external_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/planners/attempt.h"
#include "translate/sas/direct.h"

namespace zermelo::app {
namespace {

using translate::Aim;
using Seconds = std::chrono::duration<double>;
using Problem = ExternalPlanner::Problem;

const PlannerPackage fast_downward{"fast-downward", "up-fast-downward==1.0.0",
                                   "up_fast_downward/downward"};
const PlannerPackage symk{"symk", "up-symk==1.6.0", "up_symk/symk"};

constexpr Seconds first_turn{1};
constexpr double turn_growth = 5;

struct Search {
  std::string text;
  Aim aim = Aim::maximum;
  bool drop_step_counter = false;
  Proves proves = Proves::nothing;
};

const char* const relaxed_plans = "let(h,ff(),lazy_greedy([h],preferred=[h]))";
const char* const relaxed_negations =
    "let(h,ff(axioms=approximate_negative),lazy_greedy([h],preferred=[h]))";
const char* const by_type =
    "let(h,ff(),eager(alt([single(h),single(h,pref_only=true),type_based([h,g()])],boost=1000),"
    "preferred=[h]))";
const char* const by_goals = "let(h,goalcount(),eager(alt([single(h),type_based([h,g()])])))";

std::vector<Search> portfolio() {
  return {{by_type, Aim::maximum, true},
          {by_goals, Aim::maximum, true},
          {relaxed_plans, Aim::maximum, true},
          {relaxed_negations, Aim::maximum, false},
          {by_type, Aim::rewards, false},
          {"astar(blind())", Aim::rewards, false, Proves::no_plan}};
}

base::Result<void> limit_reached(const base::Limits& limits) {
  if (const auto limit = limits.exceeded())
    return tl::unexpected(base::limit_error(*limit, "before the best plan was proved"));
  return {};
}

// The attempts of one planner at one problem.
class Campaign {
 public:
  using MakeCommand = std::function<PlannerCommand(const Search&)>;

  Campaign(const Problem& problem, TaskKind task, MakeCommand command)
      : problem_(problem), task_(task), command_(std::move(command)) {
    if (task.style == TaskStyle::direct)
      groups_ = translate::sas::groups_for_task(problem.game, problem.limits);
  }

  base::Result<AttemptEnd> attempt(const Search& search, const base::Limits& limits) {
    TaskKind task = task_;
    task.aim = search.aim;
    task.least_reward = search.aim == Aim::maximum ? problem_.game.goals[0].back().value
                                                   : problem_.best.next_reward();
    task.drop_step_counter = search.drop_step_counter;
    return run_attempt({problem_.rules, problem_.game, groups_, task, command_(search), limits,
                        problem_.memory_bytes},
                       problem_.best);
  }

  // Until the search finds no better plan.
  base::Result<void> repeat(const Search& search) {
    while (!problem_.best.is_optimal()) {
      const auto end = attempt(search, problem_.limits);
      if (!end) return tl::unexpected(end.error());
      if (*end == AttemptEnd::found && search.aim == Aim::rewards) continue;
      if (*end == AttemptEnd::out_of_memory) return out_of_memory();
      return limit_reached(problem_.limits);
    }
    return {};
  }

  base::Result<void> take_turns(std::vector<Search> searches) {
    bool memory_was_short = false;
    for (Seconds turn = first_turn; !searches.empty(); turn *= turn_growth) {
      for (auto search = searches.begin(); search != searches.end();) {
        if (problem_.best.is_optimal()) return {};
        if (auto limit = limit_reached(problem_.limits); !limit) return limit;
        const auto end = attempt(*search, problem_.limits.within(turn));
        if (!end && !base::is_limit(end.error().kind)) return tl::unexpected(end.error());
        const bool is_done =
            end && (*end == AttemptEnd::exhausted || *end == AttemptEnd::out_of_memory ||
                    (*end == AttemptEnd::found && search->aim == Aim::maximum));
        memory_was_short |= end && *end == AttemptEnd::out_of_memory;
        search = is_done ? searches.erase(search) : search + 1;
      }
    }
    return memory_was_short && !problem_.best.is_optimal() ? out_of_memory() : base::Result<void>();
  }

 private:
  static base::Result<void> out_of_memory() {
    return tl::unexpected(base::limit_error(base::ErrorKind::memory_limit,
                                            "by the planner before the best plan was proved"));
  }

  const Problem& problem_;
  std::vector<analysis::MutexGroup> groups_;
  TaskKind task_;
  MakeCommand command_;
};

PlannerCommand on_sas(const InstalledPlanner& planner, const std::string& name,
                      const Search& search) {
  return {name,
          {planner.search.string(), "--search", search.text, "--internal-plan-file", plan_file},
          sas_file,
          true,
          search.proves};
}

PlannerCommand on_pddl(const InstalledPlanner& planner, const std::string& name,
                       const Search& search) {
  return {name,
          {planner.python.string(), planner.driver.string(), "--plan-file", plan_file, domain_file,
           problem_file, "--search", search.text},
          {},
          true,
          search.proves};
}

}  // namespace

bool is_external_planner(const std::string& name) {
  return name == fast_downward.planner || name == symk.planner ||
         name.find('/') != std::string::npos;
}

base::Result<ExternalPlanner> ExternalPlanner::make(const std::string& name,
                                                    const PlannerOptions& options,
                                                    const Context& context) {
  const bool is_package = name == fast_downward.planner || name == symk.planner;
  if (!is_external_planner(name)) {
    return base::fail(
        base::ErrorKind::invalid_request,
        fmt::format("there is no planner '{}'; planners: native, fast-downward, symk, "
                    "or the path of a program, with a slash",
                    name));
  }
  if (options.search && !is_package)
    return base::fail(base::ErrorKind::invalid_request,
                      "only fast-downward and symk can be given a search");
  if (!is_package) {
    ExternalPlanner planner(name, Kind::program, options);
    planner.installed_.search = std::filesystem::absolute(name);
    return planner;
  }
  auto installed = install(name == symk.planner ? symk : fast_downward, context);
  if (!installed) return tl::unexpected(installed.error());
  ExternalPlanner planner(name, name == symk.planner ? Kind::symk : Kind::fast_downward, options);
  planner.installed_ = std::move(*installed);
  return planner;
}

base::Result<void> ExternalPlanner::improve(const Problem& problem) const {
  const bool is_sas = kind_ != Kind::program && options_.style == TaskStyle::direct;
  Campaign campaign(problem, {options_.style, is_sas}, [&](const Search& search) {
    if (kind_ == Kind::program) {
      return PlannerCommand{name_,
                            {installed_.search.string(), domain_file, problem_file, plan_file}};
    }
    return is_sas ? on_sas(installed_, name_, search) : on_pddl(installed_, name_, search);
  });
  if (kind_ == Kind::program)
    return campaign.repeat({"", Aim::rewards, options_.drop_step_counter});
  if (options_.search) {
    const Search highest{*options_.search, Aim::maximum, options_.drop_step_counter};
    if (auto end = campaign.repeat(highest); !end || problem.best.is_optimal()) return end;
    return campaign.repeat({*options_.search, Aim::rewards, options_.drop_step_counter});
  }
  if (kind_ == Kind::symk)
    return campaign.repeat({"sym_bd()", Aim::rewards, false, Proves::optimality});
  return campaign.take_turns(portfolio());
}

}  // namespace zermelo::app

#include "app/plan.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "ground/ground.h"
#include "machine/machine.h"
#include "reference/reference.h"
#include "search/planner/planner.h"
#include "translate/plan_replay.h"

namespace zermelo::app {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using search::planner::Line;
using search::planner::Planner;

constexpr Seconds report_interval{0.5};

double plan_seconds_since(Clock::time_point begin) { return Seconds(Clock::now() - begin).count(); }

base::Result<std::shared_ptr<const machine::Machine>> compile_game(const PlanRequest& request,
                                                                   const base::Limits& limits) {
  auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  return machine::Machine::make(std::move(*game), limits);
}

std::string plan_activity(const Planner& planner) {
  const std::string best =
      planner.best() ? fmt::format("reward {} so far", planner.best()->reward) : "no plan so far";
  return fmt::format("planning: {}, at most {}", best, planner.upper_bound());
}

std::optional<base::Error> search_plan(Planner& planner, const base::Limits& limits,
                                       const Context& context) {
  while (!planner.is_optimal()) {
    if (const auto limit = limits.exceeded()) {
      const bool is_time = *limit == base::ErrorKind::time_limit;
      return base::Error{*limit, fmt::format("{} limit reached before the best plan was proved",
                                             is_time ? "time" : "memory")};
    }
    planner.improve(limits, report_interval);
    context.report(plan_activity(planner));
  }
  return std::nullopt;
}

base::Result<void> validate_plan(const PlanRequest& request, const ground::Game& game,
                                 const Line& line) {
  auto reference = reference::Reference::make(request.rules);
  if (!reference) return tl::unexpected(reference.error());
  std::vector<gdl::Term> moves;
  for (const machine::Move move : line.moves) moves.push_back(game.moves[move].term);
  const auto reward = translate::replay_plan(*reference, moves, request.rules->symbols);
  if (reward && *reward == line.reward) return {};
  return base::fail(
      base::ErrorKind::not_applicable,
      fmt::format("the plan of {} is wrong: {}", request.planner,
                  reward ? fmt::format("its reward is {}, not {}", *reward, line.reward)
                         : reward.error().message));
}

}  // namespace

base::Result<PlanReport> plan(const PlanRequest& request, const Context& context) {
  if (request.planner != "native") {
    return base::fail(base::ErrorKind::invalid_request,
                      fmt::format("there is no planner '{}'; planners: native", request.planner));
  }
  const auto begin = Clock::now();
  const base::Limits limits = request.limits.start(context);
  context.report("reading the rules");
  const auto machine = compile_game(request, limits);
  if (!machine) return tl::unexpected(machine.error());
  const auto planner = Planner::make(*machine, request.seed);
  if (!planner) return tl::unexpected(planner.error());
  PlanReport report;
  report.planner = request.planner;
  report.seconds.translate = plan_seconds_since(begin);
  const auto start = Clock::now();
  report.stopped = search_plan(**planner, limits, context);
  report.seconds.planner = plan_seconds_since(start);
  report.is_optimal = (*planner)->is_optimal();
  if (const auto& best = (*planner)->best()) {
    if (auto valid = validate_plan(request, (*machine)->game(), *best); !valid) {
      return tl::unexpected(valid.error());
    }
    report.is_validated = true;
    report.reward = best->reward;
    for (const machine::Move move : best->moves) {
      report.moves.push_back((*machine)->move_name(move));
    }
  }
  return report;
}

}  // namespace zermelo::app

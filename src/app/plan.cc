#include "app/plan.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "app/planners/best_plan.h"
#include "gdl/validity.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "search/planner/planner.h"
#include "translate/one_role.h"

namespace zermelo::app {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using search::planner::Line;
using search::planner::Planner;

constexpr Seconds report_interval{0.5};

double plan_seconds_since(Clock::time_point begin) { return Seconds(Clock::now() - begin).count(); }

std::string plan_activity(const BestPlan& plans) {
  const auto best = plans.best();
  return fmt::format("planning: {}, at most {}",
                     best ? fmt::format("reward {} so far", best->reward) : "no plan so far",
                     plans.bound());
}

class NativeSearch {
 public:
  NativeSearch(std::unique_ptr<Planner> planner, const ground::Game& game, BestPlan& plans)
      : planner_(std::move(planner)), game_(game), plans_(plans) {}

  // Fails if the planner's line is wrong, and at a limit.
  base::Result<void> run(const base::Limits& limits, const Context& context) {
    while (true) {
      if (auto right = offer(); !right || plans_.is_optimal()) return right;
      context.report(plan_activity(plans_));
      if (const auto limit = limits.exceeded())
        return tl::unexpected(base::limit_error(*limit, "before the best plan was proved"));
      planner_->improve(limits, report_interval);
    }
  }

 private:
  base::Result<void> offer() {
    plans_.lower_bound_to(planner_->upper_bound());
    const auto& line = planner_->best();
    if (!line || line->reward <= reward_) return {};
    std::vector<gdl::Term> moves;
    for (const machine::Move move : line->moves) moves.push_back(game_.moves[move].term);
    const auto reward = plans_.offer("native", moves);
    if (!reward) return tl::unexpected(reward.error());
    if (*reward != line->reward) {
      return base::fail(base::ErrorKind::not_applicable,
                        fmt::format("the plan of native is wrong: its reward is {}, not {}",
                                    *reward, line->reward));
    }
    reward_ = *reward;
    return {};
  }

  std::unique_ptr<Planner> planner_;
  const ground::Game& game_;
  BestPlan& plans_;
  int reward_ = -1;  // of the last line offered
};

// One request while it is planned.
class Planning {
 public:
  Planning(const PlanRequest& request, const Context& context)
      : request_(request), context_(context), resources_(request.limits) {
    report_.planner = request.race ? "race" : request.planner;
  }

  base::Result<PlanReport> run() {
    if (auto found = find_planners(); !found) return tl::unexpected(found.error());
    const auto begin = Clock::now();
    if (auto read = read_game(); !read) return tl::unexpected(read.error());
    report_.seconds.translate = plan_seconds_since(begin);
    const auto start = Clock::now();
    if (auto end = search(); !end) return tl::unexpected(end.error());
    report_.seconds.planner = plan_seconds_since(start);
    fill_report();
    return std::move(report_);
  }

 private:
  bool uses_native() const { return request_.race || request_.planner == "native"; }

  std::vector<std::string> external_names() const {
    if (request_.planner != "native") return {request_.planner};
    return request_.race ? std::vector<std::string>{"fast-downward", "symk"}
                         : std::vector<std::string>{};
  }

  // Installing a planner does not count as planning time.
  base::Result<void> find_planners() {
    const auto begin = Clock::now();
    for (const std::string& name : external_names()) {
      auto planner = ExternalPlanner::make(name, request_.external, context_);
      if (planner) {
        planners_.push_back(std::move(*planner));
      } else if (request_.race && planner.error().kind == base::ErrorKind::not_applicable) {
        report_.failures.push_back({name, planner.error().message});
      } else {
        return tl::unexpected(planner.error());
      }
    }
    if (resources_.since) *resources_.since += Clock::now() - begin;
    return {};
  }

  base::Result<void> read_game() {
    if (const auto perfect = gdl::require_perfect_information(*request_.rules, "planning");
        !perfect) {
      return tl::unexpected(perfect.error());
    }
    if (auto single = translate::require_one_role(*request_.rules); !single)
      return tl::unexpected(single.error());
    context_.report("reading the rules");
    limits_ = resources_.start(context_);
    auto game = ground::ground(request_.rules, {limits_});
    if (!game) return tl::unexpected(game.error());
    if (uses_native()) return make_native(std::move(*game));
    game_ = std::make_shared<const ground::Game>(std::move(*game));
    return make_plans();
  }

  base::Result<void> make_native(ground::Game game) {
    auto machine = machine::Machine::make(std::move(game), limits_);
    if (!machine) return tl::unexpected(machine.error());
    game_ = std::shared_ptr<const ground::Game>(*machine, &(*machine)->game());
    auto planner = Planner::make(*machine, request_.seed);
    if (!planner) return tl::unexpected(planner.error());
    if (auto made = make_plans(); !made) return made;
    native_ = std::make_unique<NativeSearch>(std::move(*planner), *game_, *plans_);
    return {};
  }

  base::Result<void> make_plans() {
    const int bound = game_->goals[0].empty() ? 0 : game_->goals[0].back().value;
    auto plans = BestPlan::make(request_.rules, bound);
    if (!plans) return tl::unexpected(plans.error());
    plans_ = std::move(*plans);
    return {};
  }

  // In a race half of the memory is for the native planner, and the other half for the others.
  base::Result<void> search() {
    const std::size_t memory = resources_.memory();
    if (!request_.race) {
      return native_ ? ended(native_->run(limits_, context_))
                     : ended(planners_[0].improve(problem(resources_.memory_left())));
    }
    std::vector<base::Result<void>> ends(planners_.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < planners_.size(); ++i) {
        threads.emplace_back(
            [&, i] { ends[i] = planners_[i].improve(problem(memory / 2 / planners_.size())); });
      }
      ResourceLimits half = resources_;
      half.memory_bytes = planners_.empty() ? memory : memory / 2;
      if (auto end = ended(native_->run(racing(half.start(context_)), context_)); !end) {
        is_over_ = true;
        return end;
      }
    }
    for (std::size_t i = 0; i < ends.size(); ++i) note(planners_[i].name(), ends[i]);
    return {};
  }

  // A race ends when one of the planners has the best plan, or the native one fails.
  base::Limits racing(base::Limits limits) const {
    limits.end_when(
        [this] { return context_.stop.stop_requested() || is_over_ || plans_->is_optimal(); });
    return limits;
  }

  ExternalPlanner::Problem problem(std::size_t memory_bytes) const {
    return {request_.rules, *game_, *plans_, racing(resources_.start_time(context_)), memory_bytes};
  }

  // A limit is part of the report; other errors are not.
  base::Result<void> ended(const base::Result<void>& end) {
    if (end) return {};
    if (!base::is_limit(end.error().kind)) return end;
    report_.stopped = end.error();
    return {};
  }

  void note(const std::string& planner, const base::Result<void>& end) {
    if (end || base::is_limit(end.error().kind)) return;
    report_.failures.push_back({planner, end.error().message});
  }

  void fill_report() {
    report_.is_optimal = plans_->is_optimal();
    if (report_.is_optimal) report_.stopped.reset();
    auto best = plans_->best();
    if (!best) return;
    report_.is_validated = true;
    report_.planner = std::move(best->planner);
    report_.reward = best->reward;
    report_.moves = std::move(best->moves);
  }

  const PlanRequest& request_;
  const Context& context_;
  ResourceLimits resources_;
  base::Limits limits_;
  std::vector<ExternalPlanner> planners_;
  std::shared_ptr<const ground::Game> game_;
  std::unique_ptr<BestPlan> plans_;
  std::unique_ptr<NativeSearch> native_;  // null: not used
  std::atomic<bool> is_over_ = false;
  PlanReport report_;
};

bool has_options(const PlannerOptions& options) {
  return options.search || options.drop_step_counter || options.style != TaskStyle::direct;
}

}  // namespace

base::Result<PlanReport> plan(const PlanRequest& request, const Context& context) {
  if (request.planner == "native" && has_options(request.external)) {
    return base::fail(base::ErrorKind::invalid_request,
                      "style, search and step counter are options of other planners than native");
  }
  return Planning(request, context).run();
}

}  // namespace zermelo::app

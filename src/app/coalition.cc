#include "app/coalition.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/match.h"
#include "app/players.h"
#include "base/svg.h"
#include "gdl/validity.h"
#include "ground/ground.h"
#include "play/match.h"

namespace zermelo::app {
namespace {

namespace svg = base::svg;

// A horizontal bar chart: a label, a bar and a number in each row.
struct BarChart {
  double scale = 1;  // the value of the longest bar
  double y = 0;      // of the next row
  std::string text = {};

  static constexpr double left = 220, widest = 420, row = 22;

  void heading(const std::string& title) {
    text += svg::label({.x = 16, .y = y + 18, .text = title, .bold = true});
    y += 28;
  }
  void bar(const std::string& name, double value, const char* colour) {
    text += svg::label({.x = left - 8, .y = y + 14, .anchor = svg::Anchor::end, .text = name});
    const double length = std::max(0.0, value) / scale * widest;
    text +=
        svg::box({left, y + 3, length, row - 8}, colour, fmt::format("{}: {:.2f}", name, value));
    text += svg::label({.x = left + length + 6, .y = y + 14, .text = fmt::format("{:.2f}", value)});
    y += row;
  }
};

}  // namespace

std::vector<std::string> CoalitionResult::members(solve::Coalition coalition) const {
  std::vector<std::string> names;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    if (coalition >> role & 1) names.push_back(roles[role]);
  }
  return names;
}

namespace {

base::Result<solve::CoalitionValues> solved_values(const CoalitionRequest& request,
                                                   const base::Limits& limits,
                                                   std::vector<std::string>& roles) {
  auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  roles = (*machine)->roles();
  return solve::coalition_values(*machine, limits);
}

// The mean sum of the rewards of each coalition over games that it plays against all others.
class CoalitionGames {
 public:
  CoalitionGames(const CoalitionRequest& request, const Context& context, base::Limits limits)
      : request_(request), context_(context), limits_(std::move(limits)) {}

  base::Result<solve::CoalitionValues> run(std::vector<std::string>& roles) {
    auto simulator = make_simulator(request_.rules, request_.limits, context_, limits_);
    if (!simulator) return tl::unexpected(simulator.error());
    simulator_ = std::move(*simulator);
    roles = simulator_->roles();
    if (roles.size() > solve::max_coalition_roles) {
      return base::fail(base::ErrorKind::not_applicable, "the game has too many roles");
    }
    auto players = read_players(std::vector(roles.size(), request_.player), roles.size());
    if (!players) return tl::unexpected(players.error());
    solve::CoalitionValues values{roles.size(), {0}, {0}};
    for (solve::Coalition c = 1; c <= values.everybody(); ++c) {
      const auto sum = mean_sum(*players, c);
      if (!sum) return tl::unexpected(sum.error());
      values.low.push_back(sum->mean - sum->half_width);
      values.high.push_back(sum->mean + sum->half_width);
    }
    return values;
  }

 private:
  base::Result<base::Interval> mean_sum(const std::vector<play::AgentSpec>& players,
                                        solve::Coalition coalition) {
    context_.report(fmt::format("playing for coalition {} of {}", coalition,
                                (1u << simulator_->roles().size()) - 1));
    play::MatchOptions options;
    options.games = *request_.games;
    options.seed = request_.seed;
    options.threads = std::max(1u, request_.threads.value_or(std::thread::hardware_concurrency()));
    options.limits = limits_;
    options.keep_records = false;
    search::CoalitionRewards rewards{.members = {}, .others_oppose = true};
    for (std::size_t role = 0; role < simulator_->roles().size(); ++role) {
      rewards.members.push_back(coalition >> role & 1);
    }
    options.coalition = std::move(rewards);
    const auto match = play::run_match(simulator_, players, options);
    if (!match) return tl::unexpected(match.error());
    if (match->limit) return base::fail(*match->limit, match_limit_message);
    if (match->completed < options.games) {
      return base::fail(base::ErrorKind::not_applicable, "a game did not end");
    }
    return match->coalition_sum;
  }

  const CoalitionRequest& request_;
  const Context& context_;
  base::Limits limits_;
  std::shared_ptr<const search::Simulator> simulator_;
};

}  // namespace

base::Result<CoalitionResult> coalition(const CoalitionRequest& request, const Context& context) {
  if (const auto perfect = gdl::require_perfect_information(*request.rules, "coalition");
      !perfect) {
    return tl::unexpected(perfect.error());
  }
  const auto begin = std::chrono::steady_clock::now();
  const base::Limits limits = request.limits.start(context);
  CoalitionResult result;
  result.games = request.games;
  if (!request.games) context.report("solving for every coalition");
  auto values =
      request.games
          ? CoalitionGames(request, context, request.limits.start_time(context)).run(result.roles)
          : solved_values(request, limits, result.roles);
  if (!values) return tl::unexpected(values.error());
  result.values = std::move(*values);
  result.shapley = shapley_values(result.values);
  auto core = least_core(result.values, limits);
  if (!core) {
    return base::fail(base::ErrorKind::not_applicable, "the linear program of the core failed");
  }
  result.core = std::move(*core);
  result.violation = superadditivity_violation(result.values);
  result.cost = cost_since(begin);
  return result;
}

std::string coalition_picture(const CoalitionResult& result, const std::string& title) {
  BarChart chart;
  for (const double value : result.values.high) chart.scale = std::max(chart.scale, value);
  chart.heading(title +
                (result.games ? ": what each coalition gets" : ": what each coalition secures"));
  for (solve::Coalition c = 1; c <= result.values.everybody(); ++c) {
    chart.bar(fmt::format("{}", fmt::join(result.members(c), ", ")), result.values.value(c),
              "#2166ac");
  }
  chart.heading("Shapley value");
  for (std::size_t role = 0; role < result.roles.size(); ++role) {
    chart.bar(result.roles[role], result.shapley[role], "#c8553d");
  }
  chart.heading(result.core.core_is_empty() ? "Least core (the core is empty)"
                                            : "A point of the core");
  for (std::size_t role = 0; role < result.roles.size(); ++role) {
    chart.bar(result.roles[role], result.core.shares[role], "#777777");
  }
  return svg::begin(720, chart.y + 16) + chart.text + "</svg>\n";
}

}  // namespace zermelo::app

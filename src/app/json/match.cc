#include "app/match.h"

#include <algorithm>

#include "app/json.h"
#include "app/json/values.h"
#include "play/replay.h"

namespace zermelo::app {
namespace {

Json as_json(const play::Faults& faults) {
  return {{"late", faults.late},
          {"illegal", faults.illegal},
          {"unreachable", faults.unreachable},
          {"unprepared", faults.unprepared}};
}

std::string match_json(const play::MatchResult& match, const std::vector<cluster::Work>& work) {
  Json means = Json::array(), widths = means, intervals = means, records = means;
  for (const base::Interval& goals : match.goals) {
    means.push_back(match.completed > 0 ? Json(goals.mean) : nullptr);
    widths.push_back(match.completed > 1 ? Json(goals.half_width) : nullptr);
    intervals.push_back(match.completed > 1 ? Json({{"low", goals.low()}, {"high", goals.high()}})
                                            : nullptr);
  }
  for (const play::MatchRecord& record : match.records) {
    records.push_back(Json::parse(play::to_json(record)));
  }
  Json json = {{"roles", match.roles},        {"players", match.players},
               {"games", match.games.size()}, {"completed", match.completed},
               {"mean_goals", means},         {"half_widths", widths},
               {"intervals", intervals},      {"records", records}};
  if (!match.coalition.empty()) {
    const base::Interval& sum = match.coalition_sum;
    const bool is_estimate = match.completed > 1;
    json["coalition"] = {{"roles", match.coalition},
                         {"mean_sum", match.completed > 0 ? Json(sum.mean) : nullptr},
                         {"interval", is_estimate ? Json({{"low", sum.low()}, {"high", sum.high()}})
                                                  : Json(nullptr)}};
  }
  if (match.limit) {
    json["error"] = {{"kind", name_of(*match.limit)}, {"message", match_limit_message}};
  }
  for (const cluster::Work& rank : work) {
    json["ranks"].push_back(
        {{"playouts", rank.playouts}, {"batches", rank.batches}, {"lost", rank.lost}});
  }
  const auto is_choice = [](const std::string& choice) { return !choice.empty(); };
  if (std::ranges::any_of(match.choices, is_choice)) json["choices"] = match.choices;
  if (match.faults) json["faults"] = as_json(*match.faults);
  return one_line(json);
}

}  // namespace

std::string to_json(const play::MatchResult& match) { return match_json(match, {}); }

std::string to_json(const MatchReport& report) { return match_json(report.match, report.work); }

std::string to_json(const play::Replay& replay) {
  Json steps = Json::array();
  for (const play::ReplayStep& step : replay.steps) {
    steps.push_back(
        {{"moves", step.moves}, {"values", or_null(step.value)}, {"lost_value", step.lost_value}});
  }
  return one_line({{"fits", replay.problem.empty()},
                   {"problem", replay.problem},
                   {"steps", steps},
                   {"goals", replay.goals}});
}

}  // namespace zermelo::app

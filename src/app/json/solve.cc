#include "app/solve.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {
namespace {

Json by_value_json(const solve::Summary& summary) {
  Json json = Json::array();
  for (const solve::Summary::Count& count : summary.by_value) {
    json.push_back({{"values", rewards_json(count.rewards)}, {"states", count.states}});
  }
  return json;
}

Json first_moves_json(const solve::Summary& summary) {
  Json json = Json::array();
  for (const solve::Summary::FirstMove& move : summary.first_moves) {
    json.push_back({{"role", summary.roles[move.value.role]},
                    {"move", move.name},
                    {"values", rewards_json(move.value.rewards)},
                    {"distance", or_null(move.value.distance)},
                    {"keeps_value", move.value.keeps_value},
                    {"best", move.value.best}});
  }
  return json;
}

Json count_json(const std::string& states) { return states.empty() ? Json(nullptr) : Json(states); }

const char* counts_name(solve::Summary::Counts counts) {
  if (counts == solve::Summary::Counts::nothing) return "nothing";
  return counts == solve::Summary::Counts::classes ? "classes" : "states";
}

std::string equilibrium_summary_json(const SolveResult& result, const EquilibriumView& view) {
  const solve::Summary& summary = result.summary;
  return one_line({{"roles", summary.roles},
                   {"values", values_json(view.low, view.high)},
                   {"bounds", bounds_json(view.low, view.high)},
                   {"concept", name_of(view.solution_concept)},
                   {"strategies", strategies_json(view)},
                   {"states", summary.states},
                   {"layer_states", summary.layer_states},
                   {"simultaneous_states", or_null(result.simultaneous_states)},
                   {"mixed_states", or_null(result.mixed_states)},
                   {"engine", name_of(summary.engine)},
                   {"algorithm", name_of(summary.algorithm)},
                   {"reason", result.reason},
                   {"model", name_of(summary.model)},
                   {"seconds", result.cost.seconds},
                   {"peak_bytes", result.cost.peak_bytes},
                   {"folder", result.folder.empty() ? Json(nullptr) : Json(result.folder)}});
}

}  // namespace

std::string to_json(const SolveResult& result) {
  if (result.equilibrium) return equilibrium_summary_json(result, *result.equilibrium);
  const solve::Summary& summary = result.summary;
  return one_line({{"roles", summary.roles},
                   {"values", rewards_json(summary.value)},
                   {"distance", or_null(summary.distance)},
                   {"states", count_json(summary.states)},
                   {"layer_states", count_json(summary.layer_states)},
                   {"counts", counts_name(summary.counts)},
                   {"by_value", by_value_json(summary)},
                   {"first_moves", first_moves_json(summary)},
                   {"line", summary.line},
                   {"engine", name_of(summary.engine)},
                   {"algorithm", name_of(summary.algorithm)},
                   {"reason", result.reason},
                   {"factoring", result.factoring.empty() ? Json(nullptr) : Json(result.factoring)},
                   {"model", name_of(summary.model)},
                   {"seconds", result.cost.seconds},
                   {"peak_bytes", result.cost.peak_bytes},
                   {"folder", result.folder.empty() ? Json(nullptr) : Json(result.folder)}});
}

}  // namespace zermelo::app

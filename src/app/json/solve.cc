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

std::string hidden_summary_json(const SolveResult& result, const HiddenView& view) {
  const solve::Summary& summary = result.summary;
  const auto by_player = [&](const std::vector<std::size_t>& numbers) {
    Json json = Json::object();
    for (std::size_t p = 0; p < numbers.size(); ++p) json[view.players[p]] = numbers[p];
    return json;
  };
  const bool has_strategies = !view.strategies.empty();
  return one_line(
      {{"roles", view.players},
       {"values", values_json(view.low, view.high)},
       {"bounds", bounds_json(view.low, view.high)},
       {"concept", name_of(solve::SolutionConcept::minimax)},
       {"exploitability", view.exploitability},
       {"exact_value", view.exact_value.empty() ? Json(nullptr) : Json(view.exact_value)},
       {"iterations", view.iterations},
       {"rounds", view.rounds},
       {"worlds", std::to_string(view.worlds)},
       {"terminal_worlds", std::to_string(view.terminal_worlds)},
       {"decisions", by_player(view.decisions)},
       {"sequences", by_player(view.sequences)},
       {"strategies",
        has_strategies ? decisions_json(view.players, view.strategies) : Json(nullptr)},
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
  if (result.hidden) return hidden_summary_json(result, *result.hidden);
  if (result.equilibrium) return equilibrium_summary_json(result, *result.equilibrium);
  const solve::Summary& summary = result.summary;
  Json json = {{"roles", summary.roles},
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
               {"folder", result.folder.empty() ? Json(nullptr) : Json(result.folder)}};
  add_ranks(json, result.ranks);
  return one_line(json);
}

}  // namespace zermelo::app

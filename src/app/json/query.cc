#include "app/query.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {
namespace {

std::string equilibrium_query_json(const QueryResult& result, const EquilibriumView& view) {
  Json matrix = Json::array();
  for (const EquilibriumView::JointMove& joint : view.matrix) {
    matrix.push_back({{"moves", joint.moves},
                      {"values", values_json(joint.low, joint.high)},
                      {"bounds", bounds_json(joint.low, joint.high)},
                      {"probability", joint.probability}});
  }
  return one_line({{"roles", result.roles},
                   {"position", result.position},
                   {"terminal", result.terminal},
                   {"concept", name_of(view.solution_concept)},
                   {"values", values_json(view.low, view.high)},
                   {"bounds", bounds_json(view.low, view.high)},
                   {"strategies", strategies_json(view)},
                   {"matrix", matrix}});
}

std::string hidden_query_json(const QueryResult& result, const HiddenAnswer& answer) {
  return one_line(
      {{"roles", answer.players},
       {"position", result.position},
       {"terminal", result.terminal},
       {"goals", result.terminal ? Json(answer.goals) : Json(nullptr)},
       {"values", values_json(answer.low, answer.high)},
       {"bounds", bounds_json(answer.low, answer.high)},
       {"concept", name_of(solve::SolutionConcept::minimax)},
       {"exploitability", answer.exploitability},
       {"exact_value", answer.exact_value.empty() ? Json(nullptr) : Json(answer.exact_value)},
       {"strategies", decisions_json(answer.players, answer.decisions)}});
}

}  // namespace

std::string to_json(const QueryResult& result) {
  if (result.hidden) return hidden_query_json(result, *result.hidden);
  if (result.equilibrium) return equilibrium_query_json(result, *result.equilibrium);
  Json moves = Json::array();
  for (const QueryResult::Move& move : result.moves) {
    moves.push_back({{"role", move.role},
                     {"move", move.name},
                     {"values", rewards_json(move.rewards)},
                     {"distance", or_null(move.distance)},
                     {"keeps_value", move.keeps_value},
                     {"best", move.best}});
  }
  return one_line({{"roles", result.roles},
                   {"position", result.position},
                   {"terminal", result.terminal},
                   {"turn", or_null(result.turn)},
                   {"values", rewards_json(result.rewards)},
                   {"distance", or_null(result.distance)},
                   {"moves", moves},
                   {"line", result.line}});
}

}  // namespace zermelo::app

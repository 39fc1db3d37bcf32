#include "app/json/values.h"

#include "base/error_name.h"

namespace zermelo::app {

std::string one_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_ranks(Json& object, const std::vector<cluster::RankReport>& ranks) {
  for (const cluster::RankReport& rank : ranks) {
    object["ranks"].push_back({{"states", rank.states},
                               {"peak_bytes", rank.peak_bytes},
                               {"messages", rank.traffic.messages},
                               {"sent_bytes", rank.traffic.bytes},
                               {"idle_seconds", rank.traffic.idle_seconds}});
  }
}

void add_error(Json& object, const std::optional<base::Error>& error) {
  if (error) object["error"] = {{"kind", base::name_of(error->kind)}, {"message", error->message}};
}

Json values_json(const std::vector<double>& low, const std::vector<double>& high) {
  Json json = Json::array();
  for (std::size_t role = 0; role < low.size(); ++role) {
    json.push_back(low[role] + (high[role] - low[role]) / 2);
  }
  return json;
}

Json bounds_json(const std::vector<double>& low, const std::vector<double>& high) {
  Json json = Json::array();
  for (std::size_t role = 0; role < low.size(); ++role) {
    json.push_back({{"low", low[role]}, {"high", high[role]}});
  }
  return json;
}

Json strategies_json(const EquilibriumView& view) {
  Json json = Json::array();
  for (const EquilibriumView::Strategy& strategy : view.strategies) {
    Json moves = Json::array();
    for (const EquilibriumView::Move& move : strategy.moves) {
      moves.push_back(
          {{"move", move.name}, {"probability", move.probability}, {"value", move.value}});
    }
    json.push_back({{"role", strategy.role}, {"moves", moves}});
  }
  return json;
}

Json rewards_json(const solve::Rewards& rewards) {
  if (rewards.empty()) return nullptr;
  return rewards;
}

namespace {

Json memory_json(const HiddenView::Decision& decision) {
  Json json = Json::array();
  for (const HiddenView::Step& step : decision.memory)
    json.push_back({{"move", step.move}, {"percepts", step.percepts}});
  return json;
}

}  // namespace

Json decisions_json(const std::vector<std::string>& players,
                    const std::vector<HiddenView::Decision>& decisions) {
  Json json = Json::array();
  for (const HiddenView::Decision& decision : decisions) {
    Json moves = Json::array();
    for (const HiddenView::Choice& choice : decision.moves)
      moves.push_back({{"move", choice.move}, {"probability", choice.probability}});
    json.push_back({{"role", players[decision.player]},
                    {"round", decision.round},
                    {"memory", memory_json(decision)},
                    {"moves", std::move(moves)}});
  }
  return json;
}

}  // namespace zermelo::app

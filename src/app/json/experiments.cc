#include "app/experiments/bandit.h"
#include "app/experiments/position.h"
#include "app/experiments/properties.h"
#include "app/experiments/strength.h"
#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {
namespace {

// Adds the lists `right`, `half_widths`, `low` and `high`, each by point.
void add_points(Json& object, const std::vector<base::Interval>& points) {
  Json right = Json::array(), widths = right, low = right, high = right;
  for (const base::Interval& point : points) {
    right.push_back(point.mean);
    widths.push_back(point.half_width);
    low.push_back(point.low());
    high.push_back(point.high());
  }
  object["right"] = right;
  object["half_widths"] = widths;
  object["low"] = low;
  object["high"] = high;
}

Json match_points(const std::vector<MatchPoint>& points) {
  Json list = Json::array();
  for (const MatchPoint& p : points) {
    list.push_back({{"family", p.family},
                    {"sizes", {p.first, p.second}},
                    {"expansions", p.expansions},
                    {"simulations", p.simulations},
                    {"games", p.games},
                    {"score", p.score.mean},
                    {"low", p.score.low()},
                    {"high", p.score.high()},
                    {"decided", p.decided}});
  }
  return list;
}

}  // namespace

std::string to_json(const BanditStudy& study) {
  Json list = Json::array();
  for (const auto& [setup, curves, differences] : study.setups) {
    for (const Curve& curve : curves) {
      list.push_back({{"setup", setup.name},
                      {"arms", setup.arms},
                      {"winners", setup.winners},
                      {"agent", curve.name}});
      add_points(list.back(), curve.points);
    }
  }
  Json json = {{"every", study.every}, {"curves", list}};
  add_error(json, study.stopped);
  return one_line(json);
}

std::string to_json(const PositionStudy& study) {
  Json list = Json::array();
  for (const auto& [curve, every] : study.agents) {
    list.push_back({{"agent", curve.name}, {"every", every}});
    add_points(list.back(), curve.points);
  }
  Json json = {{"curves", list}};
  add_error(json, study.stopped);
  return one_line(json);
}

std::string to_json(const PropertiesStudy& study) {
  Json positions = Json::array();
  for (const ChoicePoint& p : study.optimistic) {
    Json moves = Json::array();
    for (const auto& [move, times] : p.moves) moves.push_back({{"move", move}, {"times", times}});
    positions.push_back(
        {{"pawns", p.pawns}, {"expansions", p.expansions}, {"tries", p.tries}, {"moves", moves}});
  }
  Json json = {{"races", match_points(study.races)},
               {"progression", match_points(study.progression)},
               {"optimistic", positions}};
  add_error(json, study.stopped);
  return one_line(json);
}

std::string to_json(const StrengthStudy& study) {
  Json players = Json::array();
  for (const auto& [name, strength] : study.players) {
    players.push_back({{"player", name},
                       {"kept", strength.kept.mean},
                       {"half_width", strength.kept.half_width},
                       {"low", strength.kept.low()},
                       {"high", strength.kept.high()},
                       {"kept_of_decisive", strength.kept_of_decisive.mean},
                       {"half_width_of_decisive", strength.kept_of_decisive.half_width},
                       {"low_of_decisive", strength.kept_of_decisive.low()},
                       {"high_of_decisive", strength.kept_of_decisive.high()}});
  }
  Json json = {{"positions", study.positions}, {"decisive", study.decisive}, {"players", players}};
  add_error(json, study.stopped);
  return one_line(json);
}

}  // namespace zermelo::app

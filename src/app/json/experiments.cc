#include "app/experiments/bandit.h"
#include "app/experiments/position.h"
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

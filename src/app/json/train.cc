#include "app/train.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const TrainResult& result) {
  Json curve = Json::array();
  for (const eval::network::LearningCurve::Point& point : result.curve) {
    curve.push_back({{"step", point.step}, {"error", point.error}});
  }
  Json json = {
      {"file", result.file},           {"resumed", result.resumed},
      {"seconds", result.seconds},     {"games", result.games},
      {"positions", result.positions}, {"positions_per_second", result.positions_per_second},
      {"curve", std::move(curve)}};
  add_error(json, result.stopped);
  return one_line(json);
}

}  // namespace zermelo::app

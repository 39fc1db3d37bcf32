#include "app/playouts.h"

#include <fmt/format.h>

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const PlayoutStatistics& statistics) {
  const machine::PlayoutResult& totals = statistics.totals;
  Json mean_goals = Json::object();
  for (std::size_t role = 0; role < statistics.roles.size(); ++role) {
    mean_goals[statistics.roles[role]] = totals.mean_goals[role];
  }
  Json json = {{"engine", name_of(statistics.engine)},
               {"lanes", statistics.lanes},
               {"playouts", totals.playouts},
               {"abandoned", totals.abandoned},
               {"stuck", totals.stuck},
               {"seconds", totals.seconds},
               {"processor_seconds", statistics.processor_seconds},
               {"playouts_per_second", statistics.playouts_per_second()},
               {"states_per_second", statistics.states_per_second()},
               {"mean_depth", totals.mean_depth},
               {"mean_goals", mean_goals},
               {"signature", fmt::format("{:016x}", totals.signature)}};
  add_error(json, statistics.stopped);
  return one_line(json);
}

}  // namespace zermelo::app

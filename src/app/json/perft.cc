#include "app/perft.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const PerftCounts& counts) {
  Json depths = Json::array();
  for (std::size_t depth = 0; depth < counts.depths.size(); ++depth) {
    const auto& [sequences, terminal] = counts.depths[depth];
    depths.push_back({{"depth", depth}, {"sequences", sequences}, {"terminal", terminal}});
  }
  Json json = {{"depths", depths}, {"engine", name_of(counts.engine)}, {"seconds", counts.seconds}};
  add_error(json, counts.stopped);
  return one_line(json);
}

}  // namespace zermelo::app

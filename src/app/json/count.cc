#include "app/count.h"

#include "app/json.h"
#include "app/json/values.h"
#include "base/error_name.h"

namespace zermelo::app {
namespace {

Json layer_json(const CountedLayer& layer, std::size_t number) {
  Json json = {{"layer", number},
               {"states", layer.states},
               {"terminal", or_null(layer.terminal)},
               {"nodes", or_null(layer.nodes)},
               {"seconds", layer.seconds}};
  if (layer.set_nodes) json["set_nodes"] = *layer.set_nodes;
  return json;
}

}  // namespace

std::string to_json(const CountResult& result) {
  Json layers = Json::array();
  for (const CountedLayer& layer : result.layers) {
    layers.push_back(layer_json(layer, layers.size()));
  }
  Json json = {{"states", result.states},
               {"complete", !result.stopped},
               {"layers", layers},
               {"engine", name_of(result.engine)},
               {"reason", result.reason},
               {"order", or_null(result.order)},
               {"seconds", result.cost.seconds},
               {"peak_nodes", or_null(result.peak_nodes)},
               {"peak_bytes", result.cost.peak_bytes}};
  add_ranks(json, result.ranks);
  add_error(json, result.stopped);
  return one_line(json);
}

}  // namespace zermelo::app

#include <gmpxx.h>

#include "app/count.h"
#include "solve/folder/layer_chart.h"

namespace zermelo::app {

std::string plot(const CountResult& count, const std::string& title) {
  solve::LayerChart chart{(title.empty() ? "" : title + ": ") + "states by layer",
                          "layer",
                          {{"terminal states", "#c8553d"}, {"other states", "#d9d9d9"}},
                          {}};
  for (const CountedLayer& counted : count.layers) {
    solve::LayerChart::Layer layer{counted.states};
    if (counted.nodes) layer.nodes = *counted.nodes;
    if (counted.terminal) {
      const mpz_class others = mpz_class(counted.states) - mpz_class(*counted.terminal);
      layer.parts = {*counted.terminal, others.get_str()};
    }
    chart.layers.push_back(std::move(layer));
  }
  return solve::svg_of(chart);
}

}  // namespace zermelo::app

// Drawing a stored solution.
#pragma once

#include <string>

#include "base/result.h"

namespace zermelo::app {

struct PlotRequest {
  std::string folder = {};  // a finished solution
  std::string title = {};   // the name of the game, shown above the picture
};

struct PlotResult {
  std::string svg;  // states, nodes and values by layer
};

// Fails with unreadable_input if there is no finished solution. Does not compile the rules.
base::Result<PlotResult> plot(const PlotRequest& request);

}  // namespace zermelo::app

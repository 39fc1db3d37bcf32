// Drawing a stored solution.
#pragma once

#include <string>

#include "base/result.h"

namespace zermelo::app {

struct PlotRequest {
  std::string folder = {};  // a finished solution
};

struct PlotResult {
  std::string svg;  // states and nodes by layer, coloured by value
};

// Fails with unreadable_input if there is no finished solution. Does not compile the rules.
base::Result<PlotResult> plot(const PlotRequest& request);

}  // namespace zermelo::app

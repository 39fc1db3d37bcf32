// An epistemic model as a picture.
#pragma once

#include <string>

#include "base/result.h"
#include "know/model.h"

namespace zermelo::app {

// Worlds with the atoms that distinguish them; worlds that an agent cannot tell apart are joined by
// lines in the colour and style of the agent. Within a class the lines form a chain, because the
// relation is transitive. Fails with invalid_request if there are too many worlds for a picture.
base::Result<std::string> model_as_svg(const know::Model& model);
// The same for Graphviz.
base::Result<std::string> model_as_dot(const know::Model& model);

}  // namespace zermelo::app

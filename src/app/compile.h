// The game as a self-contained C++ program.
#pragma once

#include <string>

#include "app/context.h"
#include "app/rules.h"

namespace zermelo::app {

struct CompileRequest {
  Rules rules;
  ResourceLimits limits = {};
};

// Returns the text of the program. Fails if the game cannot be grounded, and at a limit.
base::Result<std::string> compile(const CompileRequest& request, const Context& context = {});

}  // namespace zermelo::app

// Solutions of games with hidden information as text, for solve.
#pragma once

#include <string>

#include "app/solve.h"

namespace zermelo::cli {

// Requires a result that has `hidden`.
std::string hidden_text(const app::SolveResult& result);

}  // namespace zermelo::cli

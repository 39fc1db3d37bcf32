// Solutions of games with hidden information as text, for solve and query.
#pragma once

#include <string>

#include "app/query.h"
#include "app/solve.h"

namespace zermelo::cli {

// Requires a result that has `hidden`.
std::string hidden_text(const app::SolveResult& result);
// What query answers. Requires the same.
std::string hidden_text(const app::QueryResult& result);

}  // namespace zermelo::cli

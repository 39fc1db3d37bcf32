// Results as JSON: one object on one line, without a line end. docs/reference/commands.md lists the
// fields. Bytes of the input that are not UTF-8 are replaced.
#pragma once

#include <string>

#include "app/count.h"
#include "app/query.h"
#include "app/solve.h"
#include "app/verify.h"

namespace zermelo::app {

// Counting and solving.
std::string to_json(const CountResult& result);
std::string to_json(const SolveResult& result);
std::string to_json(const QueryResult& result);
std::string to_json(const VerifyResult& result);

}  // namespace zermelo::app

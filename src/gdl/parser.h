// Text to Rulesheet, from prefix (KIF) or infix syntax, recognised by content.
#pragma once

#include <memory>
#include <vector>

#include "gdl/diagnostic.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// The clauses that could be read and every syntax problem met. With an error among the
// diagnostics the rulesheet is incomplete and only good for further checks.
struct ParseResult {
  Rulesheet rulesheet;
  std::vector<Diagnostic> diagnostics;
};

// A variable is named without its question mark, so ?x and x share a symbol and differ in kind.
ParseResult parse(std::shared_ptr<const base::Source> source);

}  // namespace zermelo::gdl

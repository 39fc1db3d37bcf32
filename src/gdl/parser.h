// Parses text in prefix (KIF) or infix syntax into a Rulesheet. The syntax is recognised by
// content.
#pragma once

#include <memory>
#include <vector>

#include "base/limits.h"
#include "gdl/diagnostic.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// The clauses that could be parsed, and all syntax problems. If there is an error among the
// diagnostics, the rulesheet is incomplete and must only be used for further checks.
struct ParseResult {
  Rulesheet rulesheet;
  std::vector<Diagnostic> diagnostics;
};

// The symbol of a variable does not include the question mark: ?x and x have the same symbol and
// different kinds. Throws base::LimitReached at a limit.
ParseResult parse(std::shared_ptr<const base::Source> source, const base::Limits& limits = {});

}  // namespace zermelo::gdl

// A game of one role, or of two that take turns, as GDDL.
#pragma once

#include <memory>
#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "gdl/rulesheet.h"

namespace zermelo::translate::gddl {

struct WriterOptions {
  // Otherwise the game is ground and conditions are written out: no derived predicates.
  bool keep_derived = true;
  base::Limits limits = {};
};

// The domain and the problem. Requires a valid rulesheet. Fails with not_applicable for more roles,
// for roles that may decide at the same time, for hidden information, and where conditions without
// derived predicates would be too long or depend on themselves; and at a limit.
base::Result<std::string> to_gddl(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                  const WriterOptions& options = {});

}  // namespace zermelo::translate::gddl

// Which games can be planned.
#pragma once

#include "base/result.h"
#include "gdl/rulesheet.h"

namespace zermelo::translate {

// Fails with not_applicable where the game has several roles, and says where the second one is
// declared.
base::Result<void> require_one_role(const gdl::Rulesheet& rulesheet);

}  // namespace zermelo::translate

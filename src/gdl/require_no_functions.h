// What is not defined for rules with computed functions.
#pragma once

#include <string_view>

#include "base/result.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// For what reads the rules with their variables. Fails with not_applicable if they use functions
// (functions.h); the message is about `user`, such as "lifted PDDL".
base::Result<void> require_no_functions(const Rulesheet& rulesheet, std::string_view user);

}  // namespace zermelo::gdl

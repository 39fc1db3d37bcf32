// Reading the GAME of a command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gdl/diagnostic.h"
#include "gdl/rulesheet.h"

namespace zermelo::cli {

// A rulesheet and everything there is to say about it, in source order.
struct CheckedRules {
  std::shared_ptr<const gdl::Rulesheet> rulesheet;
  std::vector<gdl::Diagnostic> diagnostics;
  bool is_text = true;  // false: the file was not read to its end
};

std::size_t count_errors(const std::vector<gdl::Diagnostic>& diagnostics);

// Fails only when the file cannot be read.
base::Result<CheckedRules> read_and_check(const std::string& path);

// The valid rules in a file. Errors are shown on standard error and fail with invalid_rules;
// warnings are only counted there, `check` shows them.
base::Result<std::shared_ptr<const gdl::Rulesheet>> read_game(const std::string& path);

}  // namespace zermelo::cli

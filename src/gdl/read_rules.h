// Text to valid rules: parsing and the validity checks in one step.
//
//   const auto rules = gdl::read_rules(std::make_shared<const base::Source>("nim.kif", text));
//   if (rules) use(*rules); else show(rules.error().message);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "gdl/diagnostic.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

// A rulesheet and its diagnostics in source order. With an error among them the rulesheet is only
// good for showing the diagnostics.
struct CheckedRules {
  std::shared_ptr<const Rulesheet> rulesheet;
  std::vector<Diagnostic> diagnostics;
  bool is_text = true;  // false: the source is binary and was not read to its end

  std::size_t errors() const;
  std::size_t warnings() const { return diagnostics.size() - errors(); }
  bool is_valid() const { return errors() == 0; }
};

// Parses the source and checks its validity. Where syntax errors lose clauses, problems that a lost
// clause may have caused are left out.
CheckedRules check_rules(std::shared_ptr<const base::Source> source);
// The same; fails at a limit.
base::Result<CheckedRules> check_rules_within(const base::Limits& limits,
                                              std::shared_ptr<const base::Source> source);

// Returns the rules if they are valid. Otherwise fails with invalid_rules; the message names the
// source, the number of errors and where the first one is. Also fails at a limit.
base::Result<std::shared_ptr<const Rulesheet>> read_rules(
    std::shared_ptr<const base::Source> source, const base::Limits& limits = {});

}  // namespace zermelo::gdl

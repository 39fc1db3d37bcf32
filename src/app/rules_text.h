// Rules given as a text, in any of the languages that files may be in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/rules.h"
#include "base/source.h"

namespace zermelo::app {

// GDL, as it was written or translated from GDDL or Toss.
struct GdlSource {
  std::shared_ptr<const base::Source> source;
  bool is_translated = false;
  // The problems of a Toss game that is not valid; the source is then its text.
  std::vector<base::Diagnostic> toss_diagnostics = {};
};

// Fails like the argument, with invalid_rules for GDDL that cannot be translated, and with
// not_applicable for Toss games that GDL cannot express.
base::Result<GdlSource> gdl_of(base::Result<base::Source> source);

// Checks rules. Warnings about rules that a translation made are left out: they would be about text
// that nobody wrote. Fails like the argument, and at a limit.
base::Result<gdl::CheckedRules> check_gdl(const base::Result<GdlSource>& gdl,
                                          const base::Limits& limits);

// The rules. Fails like the argument, with invalid_rules, and at a limit.
base::Result<Rules> valid_rules_of(const base::Result<GdlSource>& gdl,
                                   const base::Limits& limits = {});

// Checks rules given as a text.
CheckedFile check_text(const std::string& name, const std::string& text,
                       const base::Limits& limits = {});

// The rules of a text. Fails with invalid_rules, and at a limit.
base::Result<Rules> rules_of_text(const std::string& name, const std::string& text,
                                  const base::Limits& limits = {});

}  // namespace zermelo::app

// Reading .toss files as rules in GDL.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "base/source.h"

namespace zermelo::translate::toss {

// Whether the text begins like a Toss game, or its name ends in ".toss".
bool is_toss(const base::Source& source);

// The rules in prefix syntax; empty if there is an error among the diagnostics.
struct TossRules {
  std::string rules;
  std::vector<base::Diagnostic> diagnostics;
};

// Reads and translates a game. Fails as to_kif does.
base::Result<TossRules> read_toss(const base::Source& source);

}  // namespace zermelo::translate::toss

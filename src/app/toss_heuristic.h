// Heuristics of Toss games, as formulas.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "base/diagnostic.h"
#include "toss/heuristic.h"

namespace zermelo::app {

struct TossHeuristicRequest {
  std::string path = {};  // a .toss file, or rules in GDL, which are translated first
  zermelo::toss::HeuristicOptions options = {};
  ResourceLimits limits = {};
};

struct TossHeuristic {
  // With an error among the diagnostics of a Toss file the rest is empty.
  std::shared_ptr<const base::Source> source = {};
  std::vector<base::Diagnostic> diagnostics = {};

  std::string method = {};  // "existential" or "conditions"
  struct Term {
    std::uint32_t location = 0;
    std::string player = {};
    std::string term = {};
  };
  std::vector<Term> terms = {};
  double seconds = 0;  // to derive them
};

// Fails with unreadable_input, with invalid_rules for invalid GDL, with not_applicable for rules
// that cannot be translated, and at a limit.
base::Result<TossHeuristic> toss_heuristic(const TossHeuristicRequest& request,
                                           const Context& context = {});

}  // namespace zermelo::app

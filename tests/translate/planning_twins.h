// Plays random games on a game and on planning tasks made from it, by interpreters of the emitted
// text, and says where they first differ: fluents, applicable actions against legal moves, the end,
// rewards and derived atoms.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gdl/rulesheet.h"

namespace zermelo::testing {

enum class PlanningStyle { faithful, ground_pddl, sas };

struct PlanningComparison {
  std::optional<std::string> refused;     // the translation says why it does not apply
  std::optional<std::string> difference;  // the first one
  std::size_t playouts = 0;               // played to the end
  std::size_t states = 0;
  bool timed_out = false;
};

struct PlanningComparisonOptions {
  std::size_t playouts = 5;
  std::uint64_t seed = 1;
  std::size_t max_depth = 200;
  std::chrono::duration<double> seconds{60};
  bool drop_step_counter = false;
  bool use_groups = true;
};

PlanningComparison compare_planning(const std::shared_ptr<const gdl::Rulesheet>& rulesheet,
                                    PlanningStyle style, const PlanningComparisonOptions& options);

}  // namespace zermelo::testing

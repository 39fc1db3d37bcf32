// The goals of a game in fuzzy logic, with features read from their conditions: `fuzzy`.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "eval/features.h"
#include "eval/fuzzy_goals.h"
#include "eval/solution_cardinality.h"

namespace zermelo::eval {

struct FuzzyOptions {
  FuzzyLogic logic = {};
  FeatureSet features = FeatureSet().set();
  CardinalityScale cardinality = CardinalityScale::share;
  // Conditions with variables are replaced by the disjunction of their instances as long as these
  // have no more literals than this.
  std::size_t max_literals = 20'000;
  base::Limits limits = {};
};

class FuzzyEvaluator : public FuzzyGoals {
 public:
  // Fails at a limit.
  static base::Result<std::shared_ptr<const FuzzyEvaluator>> make(
      std::shared_ptr<const machine::Machine> machine, const FuzzyOptions& options);

  // How often each feature is used, by index_of(feature).
  const std::array<std::size_t, feature_names.size()>& uses() const { return uses_; }

 private:
  class Builder;

  FuzzyEvaluator(std::shared_ptr<const machine::Machine> machine, const FuzzyLogic& logic)
      : FuzzyGoals(std::move(machine), logic) {}

  std::array<std::size_t, feature_names.size()> uses_{};
};

}  // namespace zermelo::eval

// The goals of a game in fuzzy logic, where a fluent that does not hold is the more true the fewer
// moves away it is.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/fluent_graph.h"
#include "base/limits.h"
#include "base/result.h"
#include "eval/fuzzy_goals.h"
#include "eval/goal_formula.h"

namespace zermelo::eval {

struct DistanceOptions {
  bool distances = true;  // false: all fluents that do not hold have the same value
  base::Limits limits = {};
};

class DistanceEvaluator : public FuzzyGoals {
 public:
  // Fails at a limit.
  static base::Result<std::shared_ptr<const DistanceEvaluator>> make(
      std::shared_ptr<const machine::Machine> machine, const DistanceOptions& options);

  // How true a fluent of the goals is.
  double degree(const machine::State& state, ground::Atom fluent) const;

 private:
  explicit DistanceEvaluator(std::shared_ptr<const machine::Machine> machine);
  base::Result<void> build(const DistanceOptions& options);
  // The levels of a fluent in all graphs; without graphs, whether it holds.
  static std::vector<LevelTable> levels(std::span<const analysis::FluentGraph> graphs,
                                        ground::Atom fluent);
  FuzzyProgram::Node add(const GoalFormula& formula, const GoalFormula::Part& part,
                         std::span<const analysis::FluentGraph> graphs,
                         const std::vector<FuzzyProgram::Node>& nodes);

  std::unordered_map<ground::Atom, FuzzyProgram::Node> node_of_;  // by fluent of the goals
};

}  // namespace zermelo::eval

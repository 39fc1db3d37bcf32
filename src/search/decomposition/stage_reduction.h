// Finished stages of a serial composition: of their fluents only a few conditions still matter.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/rule_evaluator.h"
#include "analysis/serial_stages.h"
#include "solve/explicit/state_reduction.h"

namespace zermelo::search::decomposition {

// States in which the same stages are over, with the same values of their conditions, and which
// agree on all other fluents, are equivalent: analysis/serial_stages.cc proves that a finished
// stage never changes and that nothing else depends on more of it, so both have the same legal
// moves, ends and rewards, and a move leads to two states of which the same is true.
class StageReduction : public solve::StateReduction {
 public:
  StageReduction(std::shared_ptr<const machine::Machine> machine,
                 const std::vector<analysis::SerialStage>& stages);

  void reduce(machine::State& state) override { reduce_and_count(state); }
  // Reduces the state, and returns how many of its stages are over.
  std::size_t reduce_and_count(machine::State& state);
  std::size_t stages() const { return stages_.size(); }
  // How many of the states that were reduced so far have one representative, on average.
  double merged_states() const;

 private:
  using State = machine::State;

  struct Representative {
    State local;
    bool is_over;
  };
  struct Stage {
    ground::Literal over;
    std::vector<ground::Atom> conditions;
    State mask;
    analysis::RuleEvaluator evaluator;
    // By values of the fluents: those that represent them.
    std::unordered_map<State, Representative> representatives;
    std::map<std::vector<bool>, State> of_conditions;
    std::size_t not_over = 0;  // of the representatives
  };

  const Representative& representative(Stage& stage, const State& local);

  std::shared_ptr<const machine::Machine> machine_;
  analysis::AtomBounds bounds_;
  std::vector<Stage> stages_;
};

}  // namespace zermelo::search::decomposition

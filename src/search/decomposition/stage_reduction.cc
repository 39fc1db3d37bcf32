#include "search/decomposition/stage_reduction.h"

#include "search/decomposition/local_state.h"

namespace zermelo::search::decomposition {

using ground::Atom;

StageReduction::StageReduction(std::shared_ptr<const machine::Machine> machine,
                               const std::vector<analysis::SerialStage>& stages)
    : machine_(std::move(machine)), bounds_(machine_->game().atoms) {
  const ground::Game& game = machine_->game();
  machine::Stepper(machine_).initial_state().for_each([&](std::size_t f) {
    bounds_.set(static_cast<Atom>(f), true);  // of which only constants are not set again
  });
  for (const analysis::SerialStage& stage : stages) {
    std::vector<Atom> roots = stage.conditions;
    roots.push_back(stage.over.atom());
    State mask(game.fluents.size());
    for (const Atom f : stage.fluents) mask.set(f);
    stages_.push_back({stage.over,
                       stage.conditions,
                       std::move(mask),
                       analysis::RuleEvaluator(game, roots, [](Atom) { return false; }),
                       {},
                       {},
                       0});
  }
}

std::size_t StageReduction::reduce_and_count(State& state) {
  std::size_t over = 0;
  for (Stage& stage : stages_) {
    State local = state;
    const Representative& other = representative(stage, local &= stage.mask);
    replace_local(state, other.local, stage.mask);
    over += other.is_over;
  }
  return over;
}

double StageReduction::merged_states() const {
  double product = 1;
  for (const Stage& stage : stages_) {
    const std::size_t over = stage.representatives.size() - stage.not_over;
    if (over > 0) {
      product *= static_cast<double>(over) / static_cast<double>(stage.of_conditions.size());
    }
  }
  return product;
}

// The first values that were met with the same conditions; the same values if the stage is not
// over.
const StageReduction::Representative& StageReduction::representative(Stage& stage,
                                                                     const State& local) {
  const auto known = stage.representatives.find(local);
  if (known != stage.representatives.end()) return known->second;
  stage.mask.for_each([&](std::size_t f) { bounds_.set(static_cast<Atom>(f), local.test(f)); });
  stage.evaluator.derive(bounds_);
  if (bounds_.surely[stage.over.atom()] == stage.over.negated()) {
    ++stage.not_over;
    return stage.representatives.emplace(local, Representative{local, false}).first->second;
  }
  std::vector<bool> values;
  for (const Atom atom : stage.conditions) values.push_back(bounds_.surely[atom]);
  const State& first = stage.of_conditions.emplace(std::move(values), local).first->second;
  return stage.representatives.emplace(local, Representative{first, true}).first->second;
}

}  // namespace zermelo::search::decomposition

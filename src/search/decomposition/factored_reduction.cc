#include "search/decomposition/factored_reduction.h"

#include <fmt/format.h>

#include <utility>

#include "analysis/serial_stages.h"
#include "analysis/subgames.h"
#include "base/quantities.h"
#include "search/decomposition/stage_reduction.h"
#include "search/decomposition/subgame_equivalence.h"

namespace zermelo::search::decomposition {
namespace {

// Far more tuples of classes than can be solved, even if most of them are not reachable.
constexpr double max_combinations = 1e8;

// The coarser grain is preferred: finer subgames are smaller, but fewer of their states agree.
std::shared_ptr<SubgameEquivalence> find_equivalence(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits) {
  for (const auto grain : {analysis::Grain::symbol, analysis::Grain::ground}) {
    auto found = analysis::find_subgames(*machine->compiled(), {grain, limits});
    if (!found || !found->is_decomposed()) continue;
    auto equivalence = SubgameEquivalence::find(machine, std::move(*found), limits);
    if (!equivalence || equivalence->combinations() > max_combinations) continue;
    if (equivalence->classes() < equivalence->part_states()) return equivalence;
  }
  return nullptr;
}

}  // namespace

void FactoredReduction::reduce(machine::State& state) {
  if (equivalence_) equivalence_->reduce(state);
  if (stages_) stages_->reduce(state);
}

// Most states of a parallel composition do not occur together, so nothing is known of them.
double FactoredReduction::whole_states(double reduced) const {
  if (equivalence_ && !equivalence_->is_parallel()) reduced *= equivalence_->merged_states();
  if (stages_ && !equivalence_) reduced *= stages_->merged_states();
  return reduced;
}

std::shared_ptr<FactoredReduction> find_reduction(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits) {
  auto result = std::make_shared<FactoredReduction>();
  if ((result->equivalence_ = find_equivalence(machine, limits))) {
    const SubgameEquivalence& found = *result->equivalence_;
    result->description_ =
        fmt::format("{} independent subgames with {} states in {} classes", found.parts(),
                    base::grouped(found.part_states()), base::grouped(found.classes()));
  }
  const auto stages = analysis::find_serial_stages(machine, limits);
  if (stages && !stages->empty()) {
    result->stages_ = std::make_shared<StageReduction>(machine, *stages);
    const std::string number =
        stages->size() == 1 ? "a stage" : fmt::format("{} stages", stages->size());
    result->description_ += fmt::format("{}{} that can be over before the game ends",
                                        result->description_.empty() ? "" : ", ", number);
  }
  return result->description_.empty() ? nullptr : result;
}

}  // namespace zermelo::search::decomposition

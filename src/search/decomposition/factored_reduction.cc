#include "search/decomposition/factored_reduction.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/quantities.h"

namespace zermelo::search::decomposition {
namespace {

// Far more tuples of classes than can be solved, even if most of them are not reachable.
constexpr double max_combinations = 1e8;

std::shared_ptr<SubgameEquivalence> find_equivalence(Factoring& factoring,
                                                     const base::Limits& limits) {
  for (const analysis::Grain grain : grains) {
    const analysis::Decomposition* found = factoring.subgames(grain, limits);
    if (!found) continue;
    auto equivalence = SubgameEquivalence::find(factoring.machine(), *found, limits);
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

std::shared_ptr<FactoredReduction> find_reduction(Factoring& factoring,
                                                  const base::Limits& limits) {
  auto result = std::make_shared<FactoredReduction>();
  std::vector<std::string> found;
  if ((result->equivalence_ = find_equivalence(factoring, limits))) {
    const SubgameEquivalence& parts = *result->equivalence_;
    found.push_back(fmt::format("{} independent subgames with {} states in {} classes",
                                parts.parts(), base::grouped(parts.part_states()),
                                base::grouped(parts.classes())));
  }
  if (const auto& stages = factoring.stages(limits); !stages.empty()) {
    result->stages_ = std::make_shared<StageReduction>(factoring.machine(), stages);
    found.push_back(description_of(stages));
  }
  result->description_ = fmt::format("{}", fmt::join(found, ", "));
  return found.empty() ? nullptr : result;
}

}  // namespace zermelo::search::decomposition

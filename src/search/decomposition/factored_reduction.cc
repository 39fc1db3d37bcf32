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
  for (const auto& reduction : reductions_) reduction->reduce(state);
}

void FactoredReduction::add(std::shared_ptr<solve::StateReduction> reduction,
                            const std::string& description) {
  reductions_.push_back(std::move(reduction));
  description_ += (description_.empty() ? "" : ", ") + description;
}

std::shared_ptr<FactoredReduction> find_reduction(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits) {
  auto result = std::make_shared<FactoredReduction>();
  if (auto equivalence = find_equivalence(machine, limits)) {
    const std::string description = fmt::format(
        "{} independent subgames with {} states in {} classes", equivalence->parts(),
        base::grouped(equivalence->part_states()), base::grouped(equivalence->classes()));
    result->add(std::move(equivalence), description);
  }
  if (const auto stages = analysis::find_serial_stages(machine, limits);
      stages && !stages->empty()) {
    result->add(std::make_shared<StageReduction>(machine, *stages),
                fmt::format("{} of a serial composition",
                            stages->size() == 1 ? std::string("the first stage")
                                                : fmt::format("{} stages", stages->size())));
  }
  return result->description().empty() ? nullptr : result;
}

}  // namespace zermelo::search::decomposition

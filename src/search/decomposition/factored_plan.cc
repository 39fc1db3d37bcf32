#include "search/decomposition/factored_plan.h"

#include <utility>

namespace zermelo::search::decomposition {
namespace {

constexpr std::size_t max_computed_states = 5'000'000;

}  // namespace

std::optional<FactoredPlan> find_factored_plan(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits) {
  if (machine->roles().size() != 1) return std::nullopt;
  for (const auto grain : {analysis::Grain::symbol, analysis::Grain::ground}) {
    const auto found = analysis::find_subgames(*machine->compiled(), {grain, limits});
    if (!found || !found->is_decomposed()) continue;
    const auto game =
        FactoredGame::make(machine, *found, machine::Stepper(machine).initial_state());
    if (!game) continue;
    ConceptSearch search(**game);
    search.run([&] {
      return search.computed_states() > max_computed_states || limits.exceeded().has_value();
    });
    if (!search.is_optimal() || !search.best()) continue;
    return FactoredPlan{*search.best(), found->parts(), search.distinct_states(),
                        search.combinations()};
  }
  return std::nullopt;
}

}  // namespace zermelo::search::decomposition

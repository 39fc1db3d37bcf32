#include "search/planner/factored_plan.h"

#include <fmt/format.h>

#include "base/quantities.h"
#include "search/decomposition/concept_search.h"
#include "search/planner/stage_search.h"

namespace zermelo::search::planner {
namespace {

using analysis::Decomposition;
using decomposition::ConceptSearch;
using decomposition::FactoredGame;
using decomposition::Factoring;

// A limit on the work of each search, so that the result does not depend on the machine.
constexpr std::size_t max_searched_states = 500'000;

std::optional<FactoredPlan> plan_of_subgames(const Factoring& factoring, const Decomposition& found,
                                             const base::Limits& limits) {
  const auto game = FactoredGame::make(factoring.machine(), found, factoring.initial_state());
  if (!game) return std::nullopt;
  ConceptSearch search(**game);
  search.run([&] {
    return search.computed_states() > max_searched_states || limits.exceeded().has_value();
  });
  if (!search.is_optimal() || !search.best()) return std::nullopt;
  return FactoredPlan{
      {search.best()->reward, search.best()->moves},
      fmt::format("{} independent subgames, {} of their states, by decomposition search",
                  found.parts(), base::grouped(search.distinct_states()))};
}

std::optional<FactoredPlan> plan_of_stages(Factoring& factoring, const base::Limits& limits) {
  const auto& stages = factoring.stages(limits);
  if (stages.empty()) return std::nullopt;
  const PlanSpace space(factoring.machine(), factoring.initial_state());
  PlanRecord record(space.highest_reward());
  StageSearch search(space, record, stages, max_searched_states);
  search.run(Pause(limits));
  if (!record.is_optimal() || !record.best()) return std::nullopt;
  return FactoredPlan{*record.best(), fmt::format("{}, {} classes of equivalent states, by search",
                                                  decomposition::description_of(stages),
                                                  base::grouped(search.classes()))};
}

}  // namespace

std::optional<FactoredPlan> find_factored_plan(Factoring& factoring, const base::Limits& limits) {
  if (factoring.machine()->roles().size() != 1) return std::nullopt;
  for (const analysis::Grain grain : decomposition::grains) {
    const Decomposition* found = factoring.subgames(grain, limits);
    auto plan = found ? plan_of_subgames(factoring, *found, limits) : std::nullopt;
    if (plan) return plan;
  }
  return plan_of_stages(factoring, limits);
}

}  // namespace zermelo::search::planner

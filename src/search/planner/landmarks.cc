// Backchaining over the delete relaxation. A fact that does not hold needs one of the rules that
// make it, so the union of what those rules need is a landmark. A rule needs all facts of its body,
// so what any one of them needs is a landmark, and the smallest is kept. An operator whose body
// holds is its own landmark. A fact met within its own computation gives none.
//
// In a puzzle where moves fill in cells, the smallest landmark is the cell with the fewest values
// left: the variable that a constraint solver would branch on.
#include "search/planner/landmarks.h"

#include <algorithm>

namespace zermelo::search::planner {
namespace {

constexpr std::size_t most_operators = 100;
constexpr unsigned most_depth = 60;

}  // namespace

LandmarkFinder::LandmarkFinder(const RelaxedGraph& graph, const RelaxedCosts& costs)
    : graph_(graph), costs_(costs), known_(graph.facts()) {}

std::vector<std::uint32_t> LandmarkFinder::smallest(Fact goal) {
  ++round_;
  return of_fact(goal, 0);
}

const LandmarkFinder::Operators& LandmarkFinder::of_fact(Fact fact, unsigned depth) {
  Known& known = known_[fact];
  if (known.round == round_) return known.operators;
  known.round = round_;
  known.operators.clear();
  if (depth == most_depth) return known.operators;
  Operators all;
  for (const RuleNumber rule : graph_.makers(fact)) {
    if (!costs_.is_reached(rule)) continue;
    const Operators some = of_rule(rule, depth);
    Operators merged;
    std::set_union(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(merged));
    all = std::move(merged);
    if (some.empty() || all.size() > most_operators) return known.operators;
  }
  known.operators = std::move(all);
  return known.operators;
}

LandmarkFinder::Operators LandmarkFinder::of_rule(RuleNumber rule, unsigned depth) {
  const std::uint32_t made = graph_.operator_of(rule);
  if (made != no_operator && costs_.body_cost(rule) == 0) return {made};
  Operators best;
  for (const Fact fact : graph_.body(rule)) {
    if (costs_.of(fact) == 0) continue;
    const Operators& needed = of_fact(fact, depth + 1);
    if (!needed.empty() && (best.empty() || needed.size() < best.size())) best = needed;
    if (best.size() == 1) break;
  }
  return best;
}

}  // namespace zermelo::search::planner

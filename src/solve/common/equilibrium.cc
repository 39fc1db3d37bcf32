#include "solve/common/equilibrium.h"

#include <algorithm>
#include <cassert>

namespace zermelo::solve {

std::string name_of(SolutionConcept solution_concept) {
  const auto found =
      std::find_if(solution_concepts.begin(), solution_concepts.end(),
                   [&](const auto& named) { return named.value == solution_concept; });
  assert(found != solution_concepts.end());
  return std::string(found->name);
}

std::optional<SolutionConcept> solution_concept_named(std::string_view name) {
  const auto found = std::find_if(solution_concepts.begin(), solution_concepts.end(),
                                  [&](const auto& named) { return named.name == name; });
  if (found == solution_concepts.end()) return std::nullopt;
  return found->value;
}

double width_of(const Equilibrium& equilibrium) {
  double widest = 0;
  for (std::size_t role = 0; role < equilibrium.low.size(); ++role) {
    widest = std::max(widest, equilibrium.high[role] - equilibrium.low[role]);
  }
  return widest;
}

}  // namespace zermelo::solve

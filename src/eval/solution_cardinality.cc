// The solution cardinality of Michulke, "Heuristic Interpretation of Predicate Logic Expressions in
// General Game Playing", section 3.1: an expression with variables is the more true the more
// solutions it has, because it is then more likely to remain true. The paper takes the value of the
// disjunction of all instances, of which the solutions are true and the others false.
//
// With the probabilistic sum this disjunction is close to 1 as soon as there are a few instances:
// 0.993 for two solutions among six, and 0.966 for none among 32. So `share` is
// the default: false without a solution, otherwise from the middle upwards, linear in the number of
// solutions. It has the paper's order of states, without the loss of precision.
#include "eval/solution_cardinality.h"

namespace zermelo::eval {

std::vector<float> degrees_by_cardinality(const FuzzyLogic& logic, CardinalityScale scale,
                                          std::size_t instances) {
  if (scale == CardinalityScale::disjunction) return logic.generalized_or(instances);
  const float middle = (logic.holds + logic.fails) / 2;
  std::vector<float> degrees{logic.fails};
  for (std::size_t solutions = 1; solutions <= instances; ++solutions) {
    const float share = static_cast<float>(solutions) / static_cast<float>(instances);
    degrees.push_back(middle + (logic.holds - middle) * share);
  }
  return degrees;
}

}  // namespace zermelo::eval

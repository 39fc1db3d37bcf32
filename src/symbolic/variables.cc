#include "symbolic/variables.h"

#include <utility>

#include "symbolic/variable_order_problem.h"

namespace zermelo::symbolic {

ChosenVariables choose_variables(const std::shared_ptr<const machine::Machine>& machine,
                                 const ModelOptions& options,
                                 const std::optional<analysis::MutexGroups>& groups) {
  const circuit::CompiledGame& compiled = *machine->compiled();
  Encoding listed = groups ? Encoding(compiled.game(), find_clock(compiled.autonomous()), *groups)
                           : find_encoding(machine, options);
  OrderBudget budget;
  budget.limits = options.limits;
  VariableOrder order = choose_order(order_problem(compiled.game(), listed, budget), budget);
  return {std::move(listed), std::move(order)};
}

}  // namespace zermelo::symbolic

// Chooses the variables of a game's diagrams and their order, for counting, solving and describing
// a game.
//
//   const ChosenVariables chosen = choose_variables(machine, options);
//   auto model = build_model(machine, chosen.ordered(), options);
#pragma once

#include <memory>
#include <optional>

#include "analysis/mutex_groups.h"
#include "machine/machine.h"
#include "symbolic/encoding.h"
#include "symbolic/model.h"
#include "symbolic/variable_order.h"

namespace zermelo::symbolic {

struct ChosenVariables {
  Encoding listed;      // the variables in the order of their first fluents
  VariableOrder order;  // of those

  Encoding ordered() const { return listed.reordered(order.variables); }
};

// Finds the clock and, unless they are given, the mutex groups; makes the groups variables, and
// orders them. Given groups must hold in all states to be encoded. At a limit, groups may be
// missing and the order may be worse, but the result is valid.
ChosenVariables choose_variables(const std::shared_ptr<const machine::Machine>& machine,
                                 const ModelOptions& options = {},
                                 const std::optional<analysis::MutexGroups>& groups = std::nullopt);

}  // namespace zermelo::symbolic

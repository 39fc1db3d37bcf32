// Which variables a game's diagrams have, and in which order: chosen here for counting, solving and
// describing a game.
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
#include "symbolic/order.h"

namespace zermelo::symbolic {

struct ChosenVariables {
  Encoding listed;      // the variables in the order of their first fluents
  VariableOrder order;  // of those

  Encoding ordered() const { return listed.reordered(order.variables); }
};

// Finds the clock and the mutex groups, unless these are given; makes the groups variables, and
// orders them. Groups that are given must hold in all states to be encoded. A limit may leave
// groups out or end the search for a better order; the result is a valid choice nevertheless.
ChosenVariables choose_variables(const std::shared_ptr<const machine::Machine>& machine,
                                 const ModelOptions& options = {},
                                 const std::optional<analysis::MutexGroups>& groups = std::nullopt);

}  // namespace zermelo::symbolic

// A game as decision diagrams: its variables, their order and the sizes of its diagrams.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/mutex_groups.h"
#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "symbolic/variable_order.h"

namespace zermelo::app {

struct TerminalCondition {
  std::size_t nodes = 0;
  std::size_t binary_nodes = 0;  // of the diagram over the bits of the variables' values
};

struct SymbolicFacts {
  struct Phase {
    std::size_t joint_moves = 0;
    std::size_t relation_nodes = 0;
    std::vector<TerminalCondition> terminal;
  };

  std::vector<std::vector<std::string>> variables;  // the fluents of each, from the top level
  std::size_t clock_fluents = 0, clock_positions = 0;
  symbolic::VariableOrder order;
  std::vector<Phase> phases;
  // With the variables in the order in which the rules list them; empty if a limit was reached.
  std::vector<Phase> phases_as_listed;
};

struct SymbolicFactsOptions {
  base::Limits limits;
  std::optional<analysis::MutexGroups> groups = {};  // if known
  std::chrono::duration<double> group_seconds{5};    // for proving them, if not known
};

// Fails if the game cannot be expressed as diagrams, and at a limit.
base::Result<SymbolicFacts> symbolic_facts(const std::shared_ptr<const machine::Machine>& machine,
                                           const SymbolicFactsOptions& options);

}  // namespace zermelo::app

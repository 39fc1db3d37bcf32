// How `info --symbolic` shows a game as decision diagrams.
#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/mutex_groups.h"
#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "symbolic/order.h"

namespace zermelo::cli {

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

  std::vector<std::vector<std::string>> variables;  // from the top level: their fluents
  std::size_t clock_fluents = 0, clock_positions = 0;
  symbolic::VariableOrder order;
  std::vector<Phase> phases;
  // With the variables in the order in which the rules list them.
  std::vector<Phase> phases_as_listed;
};

struct SymbolicRequest {
  base::Limits limits;
  std::optional<analysis::MutexGroups> groups = {};  // where they are known already
  std::chrono::duration<double> group_seconds{5};    // otherwise, for proving them
};

// Fails where the game does not become diagrams, or at a limit.
base::Result<SymbolicFacts> symbolic_facts(const std::shared_ptr<const machine::Machine>& machine,
                                           const SymbolicRequest& request);

nlohmann::ordered_json as_json(const SymbolicFacts& facts);
std::vector<std::pair<std::string, std::string>> symbolic_lines(const SymbolicFacts& facts);

}  // namespace zermelo::cli

// States as assignments of multi-valued variables: a variable for each mutex group and for each
// fluent in no group. The fluents of the clock are not variables; the number of the layer
// determines them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/mutex_groups.h"
#include "dd/diagram.h"
#include "ground/game.h"
#include "machine/machine.h"
#include "symbolic/clock.h"

namespace zermelo::symbolic {

// Value i means that fluents[i] holds and no other of the fluents. If `may_be_none`, there is one
// more value, for none of them.
struct Variable {
  std::vector<ground::Atom> fluents;
  bool may_be_none = false;

  dd::Value values() const {
    return static_cast<dd::Value>(fluents.size() + (may_be_none ? 1 : 0));
  }
  dd::Value none() const { return static_cast<dd::Value>(fluents.size()); }
};

class Encoding {
 public:
  // The variable and value that represent a fluent.
  struct VariableValue {
    std::size_t variable;
    dd::Value value;
  };

  // Variables in the order of their first fluents. The groups must hold in all states to be
  // encoded.
  Encoding(const ground::Game& game, Clock clock, const analysis::MutexGroups& groups);

  // With the given variables. Each fluent except those of the clock must be in one.
  Encoding(const ground::Game& game, Clock clock, std::vector<Variable> variables);

  // The same variables in another order: the new variable i is the old variable order[i].
  Encoding reordered(std::span<const std::size_t> order) const;

  const Clock& clock() const { return clock_; }
  const std::vector<Variable>& variables() const { return variables_; }
  dd::Domains domains() const;
  // nullopt for a fluent of the clock.
  const std::optional<VariableValue>& place(ground::Atom fluent) const { return places_[fluent]; }

  // Requires a state in which every group holds.
  std::vector<dd::Value> assignment(const machine::State& state) const;
  // The state with this assignment in a layer.
  machine::State state(std::span<const dd::Value> assignment, std::size_t layer) const;

 private:
  Encoding(Clock clock, std::size_t fluents, std::vector<Variable> variables);

  Clock clock_;
  std::vector<Variable> variables_;
  std::vector<std::optional<VariableValue>> places_;  // by fluent
};

}  // namespace zermelo::symbolic

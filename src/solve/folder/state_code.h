// Converts between states of the machine and assignments of a solution's variables.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "ground/game.h"
#include "machine/machine.h"

namespace zermelo::solve {

// By variable and value, the fluent that holds; "" if none of the variable's fluents holds.
using Variables = std::vector<std::vector<std::string>>;

class StateCode {
 public:
  // Fails with unreadable_input if a fluent does not exist or is named twice.
  static base::Result<StateCode> make(const ground::Game& game, const Variables& variables);

  const dd::Domains& domains() const { return domains_; }
  // Returns false if no assignment represents the state's fluents of the variables.
  bool encode(const machine::State& state, std::span<dd::Value> assignment) const;
  machine::State decode(std::span<const dd::Value> assignment, const machine::State& fixed) const;
  // The state's fluents that belong to no variable.
  machine::State outside(const machine::State& state) const;

 private:
  static constexpr dd::Value no_value = ~dd::Value{0};
  struct VariableValue {
    std::uint32_t variable;
    dd::Value value;
  };

  dd::Domains domains_;
  std::vector<dd::Value> none_;                     // by variable: the value without a fluent
  std::vector<std::vector<ground::Atom>> fluents_;  // by variable and value; no_atom for none
  std::vector<VariableValue> places_;               // by fluent; no_value outside
};

}  // namespace zermelo::solve

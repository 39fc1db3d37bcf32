#include "symbolic/encoding.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace zermelo::symbolic {

namespace {

using ground::Atom;

// The groups without the fluents of the clock, and the fluents in no group, sorted by first fluent.
std::vector<Variable> make_variables(const ground::Game& game, const Clock& clock,
                                     const analysis::MutexGroups& groups) {
  std::vector<bool> taken(game.fluents.size(), false);
  for (const Atom fluent : clock.fluents) taken[fluent] = true;
  std::vector<Variable> variables;
  for (const analysis::MutexGroup& group : groups.groups) {
    Variable variable{{}, !group.exactly_one};
    for (const Atom fluent : group.fluents) {
      if (taken[fluent]) {
        variable.may_be_none = true;
      } else {
        variable.fluents.push_back(fluent);
      }
      taken[fluent] = true;
    }
    if (!variable.fluents.empty()) variables.push_back(std::move(variable));
  }
  for (Atom fluent = 0; fluent < taken.size(); ++fluent) {
    if (!taken[fluent]) variables.push_back({{fluent}, true});
  }
  std::sort(variables.begin(), variables.end(), [](const Variable& a, const Variable& b) {
    return a.fluents.front() < b.fluents.front();
  });
  return variables;
}

}  // namespace

Encoding::Encoding(const ground::Game& game, Clock clock, const analysis::MutexGroups& groups)
    : Encoding(clock, game.fluents.size(), make_variables(game, clock, groups)) {}

Encoding::Encoding(Clock clock, std::size_t fluents, std::vector<Variable> variables)
    : clock_(std::move(clock)), variables_(std::move(variables)), places_(fluents) {
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    for (dd::Value value = 0; value < variables_[v].fluents.size(); ++value) {
      places_[variables_[v].fluents[value]] = VariableValue{v, value};
    }
  }
}

Encoding::Encoding(const ground::Game& game, Clock clock, std::vector<Variable> variables)
    : Encoding(std::move(clock), game.fluents.size(), std::move(variables)) {}

Encoding Encoding::reordered(std::span<const std::size_t> order) const {
  assert(order.size() == variables_.size());
  std::vector<Variable> variables;
  for (const std::size_t old : order) variables.push_back(variables_[old]);
  return Encoding(clock_, places_.size(), std::move(variables));
}

dd::Domains Encoding::domains() const {
  dd::Domains domains;
  for (const Variable& variable : variables_) domains.push_back(variable.values());
  return domains;
}

std::vector<dd::Value> Encoding::assignment(const machine::State& state) const {
  std::vector<dd::Value> result;
  for (const Variable& variable : variables_) {
    dd::Value value = 0;
    while (value < variable.none() && !state.test(variable.fluents[value])) ++value;
    assert(value < variable.values());
    result.push_back(value);
  }
  return result;
}

machine::State Encoding::state(std::span<const dd::Value> assignment, std::size_t layer) const {
  machine::State state(places_.size());
  for (const Atom fluent : clock_.showing[clock_.position(layer)]) state.set(fluent);
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    if (assignment[v] < variables_[v].none()) state.set(variables_[v].fluents[assignment[v]]);
  }
  return state;
}

}  // namespace zermelo::symbolic

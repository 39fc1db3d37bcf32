#include "solve/folder/state_code.h"

#include <algorithm>

namespace zermelo::solve {

base::Result<StateCode> StateCode::make(const ground::Game& game, const Variables& variables) {
  const auto fluent_of = game.fluents_by_name();
  StateCode code;
  code.places_.assign(game.fluents.size(), {0, no_value});
  for (const std::vector<std::string>& names : variables) {
    const auto variable = static_cast<std::uint32_t>(code.domains_.size());
    code.domains_.push_back(static_cast<dd::Value>(names.size()));
    code.none_.push_back(no_value);
    std::vector<ground::Atom>& fluents = code.fluents_.emplace_back(names.size(), ground::no_atom);
    for (dd::Value value = 0; value < names.size(); ++value) {
      if (names[value].empty()) {
        code.none_.back() = value;
        continue;
      }
      const auto found = fluent_of.find(names[value]);
      if (found == fluent_of.end() || code.places_[found->second].value != no_value) {
        return base::fail(base::ErrorKind::unreadable_input,
                          "the variables contradict the rules: " + names[value]);
      }
      fluents[value] = found->second;
      code.places_[found->second] = {variable, value};
    }
  }
  return code;
}

bool StateCode::encode(const machine::State& state, std::span<dd::Value> assignment) const {
  std::fill(assignment.begin(), assignment.end(), no_value);
  bool fits = true;
  state.for_each([&](std::size_t fluent) {
    const VariableValue& place = places_[fluent];
    if (place.value == no_value) return;
    if (assignment[place.variable] != no_value) fits = false;
    assignment[place.variable] = place.value;
  });
  for (std::size_t v = 0; v < assignment.size(); ++v) {
    if (assignment[v] == no_value) assignment[v] = none_[v];
    if (assignment[v] == no_value) return false;
  }
  return fits;
}

machine::State StateCode::decode(std::span<const dd::Value> assignment,
                                 const machine::State& fixed) const {
  machine::State state = fixed;
  for (std::size_t v = 0; v < assignment.size(); ++v) {
    const ground::Atom fluent = fluents_[v][assignment[v]];
    if (fluent != ground::no_atom) state.set(fluent);
  }
  return state;
}

machine::State StateCode::outside(const machine::State& state) const {
  machine::State rest = state;
  state.for_each([&](std::size_t fluent) {
    if (places_[fluent].value != no_value) rest.reset(fluent);
  });
  return rest;
}

}  // namespace zermelo::solve

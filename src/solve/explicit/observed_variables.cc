// All states are in memory, so that fluents exclude each other is not proved but observed: in the
// order of the names, each fluent joins the first group whose members never hold together with it.
// Sorting by name keeps the fluents of one cell of a board together.

#include "solve/explicit/observed_variables.h"

#include <algorithm>
#include <numeric>

namespace zermelo::solve {
namespace {

constexpr std::size_t max_members = 0xffff;  // with "none", a value has 16 bits

std::vector<std::string> fluent_names(const ground::Game& game) {
  std::vector<std::string> names;
  for (ground::Atom f = 0; f < game.fluents.size(); ++f) names.push_back(game.fluent_name(f));
  return names;
}

}  // namespace

std::vector<machine::State> companions(const StateTable& states, std::size_t fluents,
                                       LimitWatch& watch) {
  std::vector<machine::State> together(fluents, machine::State(fluents));
  machine::State state(fluents);
  for (StateIndex s = 0; s < states.size() && !watch.stopped(); ++s) {
    read_state(states, s, state);
    state.for_each([&](std::size_t fluent) { together[fluent] |= state; });
  }
  return together;
}

std::vector<FluentGroup> exclusive_groups(const std::vector<machine::State>& companions,
                                          const ground::Game& game) {
  const std::vector<std::string> names = fluent_names(game);
  std::vector<ground::Atom> order(names.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](ground::Atom a, ground::Atom b) { return names[a] < names[b]; });
  std::vector<FluentGroup> groups;
  for (const ground::Atom fluent : order) {
    if (!companions[fluent].test(fluent)) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const FluentGroup& members) {
      return members.size() < max_members &&
             std::none_of(members.begin(), members.end(),
                          [&](ground::Atom other) { return companions[fluent].test(other); });
    });
    (group == groups.end() ? groups.emplace_back() : *group).push_back(fluent);
  }
  return groups;
}

std::vector<std::uint64_t> states_with_one(const StateTable& states,
                                           const std::vector<FluentGroup>& groups,
                                           std::size_t fluents, LimitWatch& watch) {
  std::vector<std::uint32_t> group_of(fluents);
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const ground::Atom fluent : groups[g]) group_of[fluent] = g;
  }
  std::vector<std::uint64_t> with_one(groups.size());
  machine::State state(fluents);
  for (StateIndex s = 0; s < states.size() && !watch.stopped(); ++s) {
    read_state(states, s, state);
    state.for_each([&](std::size_t f) { ++with_one[group_of[f]]; });
  }
  return with_one;
}

Variables variables_of(const std::vector<FluentGroup>& groups,
                       const std::vector<std::uint64_t>& with_one, std::uint64_t states,
                       const ground::Game& game) {
  Variables variables;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<std::string>& values = variables.emplace_back();
    if (with_one[g] < states) values.emplace_back();
    for (const ground::Atom fluent : groups[g]) values.push_back(game.fluent_name(fluent));
  }
  return variables;
}

void read_state(const StateTable& states, StateIndex index, machine::State& state) {
  const StateTable::Words words = states[index];
  std::copy(words.begin(), words.end(), state.words().begin());
}

Variables observed_variables(const StateTable& states, const ground::Game& game,
                             LimitWatch& watch) {
  const std::size_t fluents = game.fluents.size();
  const std::vector<FluentGroup> groups =
      exclusive_groups(companions(states, fluents, watch), game);
  if (watch.limit()) return {};
  const auto with_one = states_with_one(states, groups, fluents, watch);
  return variables_of(groups, with_one, states.size(), game);
}

}  // namespace zermelo::solve

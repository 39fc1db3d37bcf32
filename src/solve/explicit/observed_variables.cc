// All states are in memory, so that fluents exclude each other is not proved but observed: in the
// order of the names, each fluent joins the first group whose members never hold together with it.
// Sorting by name keeps the fluents of one cell of a board together.

#include "solve/explicit/observed_variables.h"

#include <algorithm>
#include <numeric>

namespace zermelo::solve {
namespace {

// By fluent, the fluents that hold together with it in some state, including itself.
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

using Group = std::vector<ground::Atom>;
constexpr std::size_t max_members = 0xffff;  // with "none", a value has 16 bits

std::vector<Group> exclusive_groups(const std::vector<machine::State>& together,
                                    const std::vector<std::string>& names) {
  std::vector<ground::Atom> order(names.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](ground::Atom a, ground::Atom b) { return names[a] < names[b]; });
  std::vector<Group> groups;
  for (const ground::Atom fluent : order) {
    if (!together[fluent].test(fluent)) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& members) {
      return members.size() < max_members &&
             std::none_of(members.begin(), members.end(),
                          [&](ground::Atom other) { return together[fluent].test(other); });
    });
    (group == groups.end() ? groups.emplace_back() : *group).push_back(fluent);
  }
  return groups;
}

// By group, whether some state has none of its fluents.
std::vector<bool> sometimes_none(const StateTable& states, const std::vector<Group>& groups,
                                 std::size_t fluents, LimitWatch& watch) {
  std::vector<std::uint32_t> group_of(fluents);
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const ground::Atom fluent : groups[g]) group_of[fluent] = g;
  }
  std::vector<StateIndex> with_one(groups.size());
  machine::State state(fluents);
  for (StateIndex s = 0; s < states.size() && !watch.stopped(); ++s) {
    read_state(states, s, state);
    state.for_each([&](std::size_t f) { ++with_one[group_of[f]]; });
  }
  std::vector<bool> none(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) none[g] = with_one[g] < states.size();
  return none;
}

}  // namespace

void read_state(const StateTable& states, StateIndex index, machine::State& state) {
  const StateTable::Words words = states[index];
  std::copy(words.begin(), words.end(), state.words().begin());
}

Variables observed_variables(const StateTable& states, const ground::Game& game,
                             LimitWatch& watch) {
  const std::size_t fluents = game.fluents.size();
  std::vector<std::string> names;
  for (ground::Atom f = 0; f < fluents; ++f) names.push_back(game.fluent_name(f));
  const std::vector<Group> groups = exclusive_groups(companions(states, fluents, watch), names);
  if (watch.limit()) return {};
  const std::vector<bool> none = sometimes_none(states, groups, fluents, watch);
  Variables variables;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<std::string>& values = variables.emplace_back();
    if (none[g]) values.emplace_back();
    for (const ground::Atom fluent : groups[g]) values.push_back(names[fluent]);
  }
  return variables;
}

}  // namespace zermelo::solve

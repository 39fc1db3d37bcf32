// What every engine that steps a game offers, so that counting, random play, analysis and tests are
// written once. An engine belongs to one thread; states are plain values that may go anywhere.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace zermelo::base {

// A move of one role, a number that only the engine that gave it understands.
using Move = std::uint32_t;

// legal_moves are sorted by printed name, so that two engines list the same moves in the same
// order; goals are all values that hold, ascending; fluent_names are sorted.
template <class M>
concept StateMachine = std::regular<typename M::State> && std::totally_ordered<typename M::State> &&
    requires(M& machine, const typename M::State& state, std::size_t role,
             std::span<const Move> joint, Move move) {
  { std::hash<typename M::State>{}(state) } -> std::convertible_to<std::size_t>;
  { machine.roles() } -> std::same_as<const std::vector<std::string>&>;
  { machine.initial_state() } -> std::same_as<typename M::State>;
  { machine.legal_moves(state, role) } -> std::same_as<std::vector<Move>>;
  { machine.next_state(state, joint) } -> std::same_as<typename M::State>;
  { machine.terminal(state) } -> std::same_as<bool>;
  { machine.goals(state, role) } -> std::same_as<std::vector<int>>;
  { machine.move_name(move) } -> std::convertible_to<std::string>;
  { machine.fluent_names(state) } -> std::same_as<std::vector<std::string>>;
};

}  // namespace zermelo::base

// The interface of every engine that steps a game. Counting, random play, analysis and tests are
// written once against it. An engine belongs to one thread. States are plain values and may be
// passed between threads.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zermelo::base {

// The role that nobody plays: it chooses uniformly among its legal moves and has no goals (GDL-II).
inline constexpr std::string_view random_role = "random";

// A move of one role. The number is only meaningful to the engine that returned it.
using Move = std::uint32_t;
// Something that a role sees after a joint move (GDL-II). Likewise.
using Percept = std::uint32_t;

// legal_moves are sorted by printed name, so that all engines list them in the same order. goals
// returns all goal values that hold, ascending. fluent_names are sorted.
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

// An engine that also steps what the roles see. percepts are sorted by printed name; the role
// `random` has none.
template <class M>
concept PerceivingMachine = StateMachine<M> &&
    requires(M& machine, const typename M::State& state, std::size_t role,
             std::span<const Move> joint, Percept percept) {
  { machine.percepts(state, joint, role) } -> std::same_as<std::vector<Percept>>;
  { machine.percept_name(percept) } -> std::convertible_to<std::string>;
};

}  // namespace zermelo::base

// Counts joint-move sequences from the initial state; terminal states end a sequence. The counts
// depend on every rule of the game, so they are the first thing to compare between engines.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limited_steps.h"
#include "base/paced_limits.h"
#include "base/state_machine.h"

namespace zermelo::machine {

using base::Move;

struct PerftDepth {
  std::uint64_t sequences = 0;
  std::uint64_t terminal = 0;  // sequences that end in a terminal state
};

struct PerftResult {
  std::vector<PerftDepth> depths;  // by depth, from 0
  std::optional<base::ErrorKind>
      stopped;  // the limit that was reached; the counts are then partial
};

// The legal moves of every role.
template <base::StateMachine M>
std::vector<std::vector<Move>> all_legal_moves(M& machine, const typename M::State& state) {
  std::vector<std::vector<Move>> moves;
  for (std::size_t r = 0; r < machine.roles().size(); ++r) {
    moves.push_back(machine.legal_moves(state, r));
  }
  return moves;
}

// The number of choices of one move per role.
inline double joint_moves(const std::vector<std::vector<Move>>& legal) {
  double product = 1;
  for (const std::vector<Move>& moves : legal) product *= static_cast<double>(moves.size());
  return product;
}

// Calls visit(joint) for every choice of one move per role, until it returns false. Returns whether
// every choice was visited; there is none when a role has no move.
template <class Visit>
bool for_each_joint_move(const std::vector<std::vector<Move>>& legal, Visit visit) {
  std::vector<std::size_t> choice(legal.size());
  std::vector<Move> joint(legal.size());
  for (std::size_t r = 0; r < legal.size(); ++r) {
    if (legal[r].empty()) return true;
    joint[r] = legal[r].front();
  }
  for (;;) {
    if (!visit(joint)) return false;
    std::size_t r = 0;
    while (r < legal.size() && ++choice[r] == legal[r].size()) {
      choice[r] = 0;
      joint[r] = legal[r].front();
      ++r;
    }
    if (r == legal.size()) return true;
    joint[r] = legal[r][choice[r]];
  }
}

namespace detail {

template <base::StateMachine M>
class Perft {
 public:
  Perft(M& machine, std::size_t depth, const base::Limits& limits)
      : machine_(machine), limits_(limits) {
    result_.depths.resize(depth + 1);
  }

  PerftResult run() {
    try {
      if (!visit(machine_.initial_state(), 0)) result_.stopped = limits_.exceeded();
    } catch (const base::LimitReached& reached) {  // by a step of the reference engine
      if (!base::is_limit(reached.kind())) throw;
      result_.stopped = reached.kind();
    }
    return result_;
  }

 private:
  bool visit(const typename M::State& state, std::size_t depth) {
    const bool goes_on = !limits_.exceeded();
    ++result_.depths[depth].sequences;
    if (machine_.terminal(state)) {
      ++result_.depths[depth].terminal;
      return goes_on;
    }
    if (depth + 1 == result_.depths.size()) return goes_on;
    return for_each_joint_move(all_legal_moves(machine_, state), [&](std::span<const Move> joint) {
      return visit(machine_.next_state(state, joint), depth + 1);
    });
  }

  M& machine_;
  base::PacedLimits limits_;
  PerftResult result_;
};

}  // namespace detail

// Counts up to the given depth. A non-terminal state in which a role has no legal move ends its
// sequence like a state at the last depth.
template <base::StateMachine M>
PerftResult perft(M& machine, std::size_t depth, const base::Limits& limits = {}) {
  return detail::Perft<M>(machine, depth, limits).run();
}

}  // namespace zermelo::machine

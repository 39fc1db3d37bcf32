// Random games from the initial state: every role chooses uniformly among its legal moves.
//
// A seed gives the same games on every engine that steps single states: moves are listed in the
// same order, and every game has its own generator, seeded with the seed and the game's number. The
// signature is a hash of all moves and results, so engines with equal signatures played the same
// games.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/limited_steps.h"
#include "base/paced_limits.h"
#include "base/random.h"
#include "base/reward.h"
#include "base/state_machine.h"

namespace zermelo::machine {

using base::Move;

struct PlayoutOptions {
  std::optional<std::uint64_t> count;                    // the maximum number of games
  std::optional<std::chrono::duration<double>> seconds;  // no new game after this time
  std::uint64_t seed = 1;
  std::size_t max_depth = 10'000;  // longer games are abandoned
  std::stop_token stop = {};       // no new game once it is requested
  // Also end a game under way, which is then not counted.
  base::Limits limits = {};
};

struct PlayoutResult {
  std::uint64_t playouts = 0;   // games that reached a terminal state
  std::uint64_t abandoned = 0;  // games stopped at max_depth
  std::uint64_t stuck = 0;      // games that reached a non-terminal state without a move for a role
  std::uint64_t states = 0;     // joint moves made in all games
  double seconds = 0;
  double mean_depth = 0;  // joint moves until the end, over `playouts`
  // The mean rewards (base/reward.h) by role, over `playouts`.
  std::vector<double> mean_goals;
  std::uint64_t signature = 0;
};

namespace detail {

template <base::StateMachine M>
class Playouts {
 public:
  Playouts(M& machine, const PlayoutOptions& options)
      : machine_(machine),
        options_(options),
        limits_(options.limits),
        totals_(machine.roles().size()) {}

  PlayoutResult run() {
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start);
    };
    try {
      const typename M::State initial = machine_.initial_state();
      for (std::uint64_t game = 0; game != options_.count && !limits_.exceeded(); ++game) {
        if (options_.stop.stop_requested()) break;
        if (options_.seconds && elapsed() >= *options_.seconds) break;
        play(initial, game);
      }
    } catch (const base::LimitReached& reached) {  // by a step of the reference engine
      if (!base::is_limit(reached.kind())) throw;
    }
    result_.seconds = elapsed().count();
    average();
    return result_;
  }

 private:
  void play(typename M::State state, std::uint64_t game) {
    base::Random random(options_.seed + game * 0x9e3779b97f4a7c15u);
    std::vector<Move> joint(totals_.size());
    std::size_t depth = 0;
    for (; !machine_.terminal(state); ++depth) {
      if (limits_.exceeded()) return;
      if (depth == options_.max_depth) return end(result_.abandoned, depth);
      if (!choose(state, random, joint)) return end(result_.stuck, depth);
      state = machine_.next_state(state, joint);
      ++result_.states;
    }
    depths_ += depth;
    end(result_.playouts, depth);
    for (std::size_t r = 0; r < totals_.size(); ++r) score(state, r);
  }

  bool choose(const typename M::State& state, base::Random& random, std::vector<Move>& joint) {
    for (std::size_t r = 0; r < joint.size(); ++r) {
      const std::vector<Move> moves = machine_.legal_moves(state, r);
      if (moves.empty()) return false;
      const std::uint32_t chosen = random.below(static_cast<std::uint32_t>(moves.size()));
      sign(moves.size());
      sign(chosen);
      joint[r] = moves[chosen];
    }
    return true;
  }

  void end(std::uint64_t& counter, std::size_t depth) {
    ++counter;
    sign(depth);
  }

  void score(const typename M::State& state, std::size_t role) {
    const std::vector<int> goals = machine_.goals(state, role);
    for (const int goal : goals) sign(static_cast<std::uint64_t>(goal));
    totals_[role] += base::reward_of(goals);
  }

  void sign(std::uint64_t value) {
    std::uint64_t h = (result_.signature ^ value) + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    result_.signature = h ^ (h >> 31);
  }

  void average() {
    const auto games = static_cast<double>(std::max<std::uint64_t>(1, result_.playouts));
    result_.mean_depth = static_cast<double>(depths_) / games;
    for (const double total : totals_) result_.mean_goals.push_back(total / games);
  }

  M& machine_;
  const PlayoutOptions& options_;
  base::PacedLimits limits_;
  PlayoutResult result_;
  std::uint64_t depths_ = 0;
  std::vector<double> totals_;
};

}  // namespace detail

// Plays until the count or the time of the options is reached. At least one of them must be set.
template <base::StateMachine M>
PlayoutResult playouts(M& machine, const PlayoutOptions& options) {
  return detail::Playouts<M>(machine, options).run();
}

}  // namespace zermelo::machine

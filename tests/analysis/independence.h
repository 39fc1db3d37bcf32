// Checks a decomposition by play: what happens in a subgame must not depend on the others.
//
// A random state is compared with a hybrid: the same subgame, put into another state that random
// play reached after the same number of steps. The moves of the subgame must be legal in both or in
// neither, and after the same moves in the subgame its fluents must have the same values. This uses
// the machine alone, and nothing of the analysis. Every step checks one subgame, chosen at random.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/subgames.h"
#include "base/random.h"
#include "machine/machine.h"
#include "machine/perft.h"

namespace zermelo::testing {

class IndependenceCheck {
 public:
  using State = machine::State;
  using Move = machine::Move;

  IndependenceCheck(std::shared_ptr<const machine::Machine> machine,
                    const analysis::Decomposition& found)
      : machine_(std::move(machine)), stepper_(machine_), found_(found), random_(1) {
    const ground::Game& game = machine_->game();
    std::vector<std::size_t> subgames_of(game.moves.size());
    for (const analysis::Subgame& subgame : found.subgames) {
      masks_.push_back(State(game.fluents.size()));
      for (const ground::Atom f : subgame.fluents) masks_.back().set(f);
      is_of_.push_back(std::vector<bool>(game.moves.size()));
      for (const std::uint32_t m : subgame.moves) {
        is_of_.back()[m] = true;
        ++subgames_of[m];
      }
    }
    for (const std::size_t count : subgames_of) is_of_one_.push_back(count == 1);
  }

  // Returns what is wrong, if anything is.
  std::optional<std::string> run(std::size_t steps) {
    State state = stepper_.initial_state();
    std::size_t depth = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      const auto legal = machine::all_legal_moves(stepper_, state);
      const bool is_stuck =
          std::any_of(legal.begin(), legal.end(), [](const auto& moves) { return moves.empty(); });
      if (stepper_.terminal(state) || is_stuck) {
        state = stepper_.initial_state();
        depth = 0;
        continue;
      }
      const std::vector<Move> joint = random_moves(legal);
      const State next = stepper_.next_state(state, joint);
      if (auto wrong = check(state, joint, next, other_state(depth, state))) return wrong;
      state = next;
      ++depth;
    }
    return std::nullopt;
  }

 private:
  std::vector<Move> random_moves(const std::vector<std::vector<Move>>& legal) {
    std::vector<Move> joint;
    for (const auto& moves : legal) {
      joint.push_back(moves[random_.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    return joint;
  }

  // A state that was reached before after so many steps; remembers this one.
  State other_state(std::size_t depth, const State& state) {
    std::vector<State>& known = states_at_[depth];
    State result =
        known.empty() ? state : known[random_.below(static_cast<std::uint32_t>(known.size()))];
    if (known.size() < 8) {
      known.push_back(state);
    } else {
      known[random_.below(8)] = state;
    }
    return result;
  }

  State part(State state, std::size_t i) const {
    state &= masks_[i];
    return state;
  }

  // `other`, with the subgame and all action-independent fluents of `state`.
  State hybrid(const State& state, const State& other, std::size_t i) const {
    State result = other;
    for (std::size_t j = 0; j < masks_.size(); ++j) {
      if (j != i && !found_.subgames[j].action_independent) continue;
      masks_[j].for_each([&](std::size_t f) { state.test(f) ? result.set(f) : result.reset(f); });
    }
    return result;
  }

  // Of one subgame.
  std::optional<std::string> check(const State& state, const std::vector<Move>& joint,
                                   const State& next, const State& other) {
    const std::size_t i = random_.below(static_cast<std::uint32_t>(masks_.size()));
    const auto wrong = check(i, state, joint, next, other);
    if (!wrong) return std::nullopt;
    return "subgame " + std::to_string(i + 1) + ": " + *wrong;
  }

  std::optional<std::string> check(std::size_t i, const State& state,
                                   const std::vector<Move>& joint, const State& next,
                                   const State& other) {
    const bool is_made_in =
        std::any_of(joint.begin(), joint.end(), [&](Move m) { return is_of_[i][m]; });
    if (found_.subgames[i].is_kept && !is_made_in && part(next, i) != part(state, i)) {
      return "is not kept";
    }
    const State mixed = hybrid(state, other, i);
    const auto legal = machine::all_legal_moves(stepper_, mixed);
    if (auto wrong = check_legal(i, machine::all_legal_moves(stepper_, state), legal)) return wrong;
    const auto moves = corresponding(i, joint, legal);
    if (moves && part(stepper_.next_state(mixed, *moves), i) != part(next, i)) {
      return "depends on the others after " + machine_->move_name(joint[0]);
    }
    return std::nullopt;
  }

  std::optional<std::string> check_legal(std::size_t i, const std::vector<std::vector<Move>>& a,
                                         const std::vector<std::vector<Move>>& b) const {
    if (found_.is_parallel) return std::nullopt;
    for (std::size_t role = 0; role < a.size(); ++role) {
      for (const Move m : difference(a[role], b[role])) {
        if (is_of_[i][m] && is_of_one_[m]) return "legality of " + machine_->move_name(m);
      }
    }
    return std::nullopt;
  }

  static std::vector<Move> sorted(std::vector<Move> moves) {
    std::sort(moves.begin(), moves.end());
    return moves;
  }

  static std::vector<Move> difference(const std::vector<Move>& a, const std::vector<Move>& b) {
    const std::vector<Move> x = sorted(a), y = sorted(b);
    std::vector<Move> result;
    std::set_symmetric_difference(x.begin(), x.end(), y.begin(), y.end(),
                                  std::back_inserter(result));
    return result;
  }

  // Moves of the hybrid state that are the same in the subgame; elsewhere any.
  std::optional<std::vector<Move>> corresponding(std::size_t i, const std::vector<Move>& joint,
                                                 const std::vector<std::vector<Move>>& legal) {
    std::vector<Move> result;
    for (std::size_t role = 0; role < joint.size(); ++role) {
      std::vector<Move> candidates;
      for (const Move m : legal[role]) {
        const bool is_same = is_of_[i][joint[role]] ? m == joint[role] : !is_of_[i][m];
        if (is_same) candidates.push_back(m);
      }
      if (candidates.empty()) return std::nullopt;
      result.push_back(candidates[random_.below(static_cast<std::uint32_t>(candidates.size()))]);
    }
    return result;
  }

  std::shared_ptr<const machine::Machine> machine_;
  machine::Stepper stepper_;
  const analysis::Decomposition& found_;
  base::Random random_;
  std::vector<State> masks_;                             // by subgame
  std::vector<std::vector<bool>> is_of_;                 // by subgame and move
  std::vector<bool> is_of_one_;                          // by move
  std::map<std::size_t, std::vector<State>> states_at_;  // by depth
};

}  // namespace zermelo::testing

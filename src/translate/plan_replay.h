// A plan played out in the game itself: the only judge of a planner's answer.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/reward.h"
#include "base/state_machine.h"
#include "gdl/printer.h"
#include "gdl/rulesheet.h"

namespace zermelo::translate {

template <base::StateMachine M>
struct PlanProgress {
  typename M::State state;
  std::size_t made = 0;  // moves
};

// Makes the moves one after the other until one is not legal or the game is over. `symbols` are
// those of the moves.
template <base::StateMachine M>
PlanProgress<M> make_plan_moves(M& game, std::span<const gdl::Term> moves,
                                const gdl::SymbolTable& symbols) {
  PlanProgress<M> progress{game.initial_state()};
  for (; progress.made < moves.size() && !game.terminal(progress.state); ++progress.made) {
    const std::string name = gdl::print(moves[progress.made], symbols);
    const std::vector<base::Move> legal = game.legal_moves(progress.state, 0);
    const auto move = std::find_if(legal.begin(), legal.end(),
                                   [&](base::Move m) { return game.move_name(m) == name; });
    if (move == legal.end()) break;
    progress.state = game.next_state(progress.state, std::span(&*move, 1));
  }
  return progress;
}

// The reward of a game of one role in which these moves are made, one after the other, until it is
// over. Fails with not_applicable, naming the step (from 1), where a move is not legal, the game is
// over before the last move, or it is not over after it.
template <base::StateMachine M>
base::Result<int> replay_plan(M& game, std::span<const gdl::Term> moves,
                              const gdl::SymbolTable& symbols) {
  const auto fail = [](std::string message) {
    return base::fail(base::ErrorKind::not_applicable, std::move(message));
  };
  const auto [state, made] = make_plan_moves(game, moves, symbols);
  const bool is_over = game.terminal(state);
  if (made < moves.size()) {
    return fail(fmt::format("step {}: {} {}", made + 1, gdl::print(moves[made], symbols),
                            is_over ? "comes after the end of the game" : "is not legal"));
  }
  if (!is_over) return fail(fmt::format("after all {} steps the game is not over", moves.size()));
  return base::reward_of(game.goals(state, 0));
}

// Whether the game is over before the last of the moves, all of them legal up to there.
template <base::StateMachine M>
bool ends_before_plan(M& game, std::span<const gdl::Term> moves, const gdl::SymbolTable& symbols) {
  const auto progress = make_plan_moves(game, moves, symbols);
  return progress.made < moves.size() && game.terminal(progress.state);
}

}  // namespace zermelo::translate

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

// The reward of a game of one role in which these moves are made, one after the other, until it is
// over. `symbols` are those of the moves. Fails with not_applicable, naming the step (from 1),
// where a move is not legal, the game is over before the last move, or it is not over after it.
template <base::StateMachine M>
base::Result<int> replay_plan(M& game, std::span<const gdl::Term> moves,
                              const gdl::SymbolTable& symbols) {
  const auto fail = [](std::string message) {
    return base::fail(base::ErrorKind::not_applicable, std::move(message));
  };
  auto state = game.initial_state();
  for (std::size_t step = 1; step <= moves.size(); ++step) {
    const std::string name = gdl::print(moves[step - 1], symbols);
    if (game.terminal(state))
      return fail(fmt::format("step {}: {} comes after the end of the game", step, name));
    const std::vector<base::Move> legal = game.legal_moves(state, 0);
    const auto move = std::find_if(legal.begin(), legal.end(),
                                   [&](base::Move m) { return game.move_name(m) == name; });
    if (move == legal.end()) return fail(fmt::format("step {}: {} is not legal", step, name));
    state = game.next_state(state, std::span(&*move, 1));
  }
  if (!game.terminal(state))
    return fail(fmt::format("after all {} steps the game is not over", moves.size()));
  return base::reward_of(game.goals(state, 0));
}

}  // namespace zermelo::translate

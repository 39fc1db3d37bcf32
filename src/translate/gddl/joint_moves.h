// A game in which at most one of two roles decides, as a game of one role that makes all moves.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"

namespace zermelo::translate::gddl {

struct JointGame {
  // The game has no terminal atom and no goals.
  ground::Game game;
  // By joint move: the move of the game it was made of that decides. The other role does nothing.
  std::vector<std::uint32_t> moves;
};

// Games of one role stay as they are. Fails with not_applicable for more than two roles, and for
// two if it cannot be shown that one of them always has only its idle move: a move that is the same
// whenever the other one decides.
base::Result<JointGame> join_moves(const ground::Game& game, const base::Limits& limits);

}  // namespace zermelo::translate::gddl

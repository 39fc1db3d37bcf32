// Positions in the form of Gamesman's web interface: values from the point of view of the player to
// move, and the distance as `remoteness`.
#pragma once

#include <string>
#include <vector>

#include "app/service/open_game.h"

namespace zermelo::app {

struct GamesmanPosition {
  // Gamesman's numbers for a position without an end, and for an end at an unknown distance.
  static constexpr int endless = -200, unknown = -100;

  struct Move {
    std::string name, position;
    std::string position_value;  // of the position after it, for the player to move there
    std::string value;           // for the player who makes the move
    int remoteness = unknown;    // of the position after it
    int delta = 0;               // distance from the best move of the same value
  };

  std::string position;  // the fluents that hold
  std::string value;     // win, tie, draw (no forced end), lose, or unsolved
  int remoteness = unknown;
  std::vector<Move> moves;  // best first
};

// The initial position.
std::string gamesman_start(const OpenGame& game);
// Fails with invalid_request for a text that is not a position of the game.
base::Result<GamesmanPosition> gamesman_position(const OpenGame& game, const std::string& position);

}  // namespace zermelo::app

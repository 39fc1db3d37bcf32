// Compositions of two games of one role, made from their rules as text.
#pragma once

#include <string>

namespace zermelo::testing {

enum class Composition {
  interleaved,  // a move is a move in one of the games; the other one waits
  parallel,     // a move is a pair of moves, one in each game
  serial,       // the right game starts when the left one has ended
};

// Returns rules in prefix syntax. The fluents of the games are wrapped in `left` and `right`, the
// moves in `left_move` and `right_move`, or in `both_moves`. The composition ends when both games
// have ended (interleaved, serial) or when one has (parallel). The reward is the mean of the two.
std::string compose(const std::string& left, const std::string& right, Composition composition);

}  // namespace zermelo::testing

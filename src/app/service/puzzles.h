// Puzzles from a solved game: positions in which exactly one move keeps the value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/service/position_view.h"

namespace zermelo::app {

struct Puzzle {
  std::vector<std::vector<std::string>> history;  // joint moves that lead to it
  std::string role;                               // to move
  Outcome outcome = Outcome::win;                 // that the one good move keeps, for this role
  std::optional<std::uint32_t> distance;          // moves to the end
  std::size_t moves = 0;                          // legal ones
  // From 0 to 1: the share of a short search's visits that went to wrong moves.
  double surprise = 0;
};

struct PuzzleRequest {
  std::size_t count = 24;  // at most
  std::uint64_t seed = 1;
  ResourceLimits limits = {};  // the time ends the search for more
};

// Positions that random games pass, each once, by distance and then by surprise. Positions without
// a better and a worse outcome are left out. Fails with not_applicable for a game that is not
// solved.
base::Result<std::vector<Puzzle>> find_puzzles(const OpenGame& game, const PuzzleRequest& request,
                                               const Context& context = {});

}  // namespace zermelo::app

// Sliding tiles on a rectangle: the 8-puzzle, the 15-puzzle and other sizes.
//
// The start position has the tiles in reverse order with the hole first. Parity decides whether a
// position is solvable (Johnson and Story 1879): every slide transposes the hole with a neighbour,
// so the parity of the permutation must equal that of the hole's distance to its goal. If it does
// not, the last two tiles are exchanged.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view sliding = R"(
(<= (legal player (slide ?c ?r))
    (true (cell ?d ?s hole))
    (beside ?c ?r ?d ?s))

(<= (next (cell ?c ?r hole))
    (does player (slide ?c ?r)))
(<= (next (cell ?d ?s ?t))
    (true (cell ?d ?s hole))
    (does player (slide ?c ?r))
    (true (cell ?c ?r ?t)))
(<= (next (cell ?c ?r ?t))
    (true (cell ?c ?r ?t))
    (distinct ?t hole)
    (not (does player (slide ?c ?r))))

(<= unsolved
    (home ?c ?r ?t)
    (not (true (cell ?c ?r ?t))))
)";

// The tiles in reading order; 0 is the hole.
using Tiles = std::vector<int>;

bool is_odd(const Tiles& permutation) {
  std::size_t inversions = 0;
  for (auto i = permutation.begin(); i != permutation.end(); ++i) {
    inversions += static_cast<std::size_t>(
        std::count_if(i, permutation.end(), [i](int later) { return later < *i; }));
  }
  return inversions % 2 == 1;
}

Tiles goal_order(int columns, int rows) {
  Tiles tiles;
  for (int i = 1; i < columns * rows; ++i) tiles.push_back(i);
  tiles.push_back(0);
  return tiles;
}

Tiles start_order(int columns, int rows) {
  const Tiles goal = goal_order(columns, rows);
  Tiles tiles(goal.rbegin(), goal.rend());
  const bool far = (columns - 1 + rows - 1) % 2 == 1;
  if ((is_odd(tiles) != is_odd(goal)) != far) std::swap(tiles.rbegin()[0], tiles.rbegin()[1]);
  return tiles;
}

// A number of slides that is enough for every position of the board: the maximum where it is known
// (Reinefeld 1993, Brüngger et al. 1999, Korf and Schultze 2005), otherwise Parberry's bound 5 n^3.
int default_limit(int columns, int rows) {
  struct Known {
    int shorter, longer, moves;
  };
  constexpr Known known[] = {{2, 2, 6},  {2, 3, 21}, {2, 4, 36}, {2, 5, 55},
                             {3, 3, 31}, {3, 4, 53}, {4, 4, 80}};
  const int shorter = std::min(columns, rows);
  const int longer = std::max(columns, rows);
  for (const Known& board : known) {
    if (board.shorter == shorter && board.longer == longer) return board.moves;
  }
  return 5 * longer * longer * longer;
}

// (wrapper (cell c r tile)) for every cell, row 1 on top.
template <class Format>
std::vector<std::string> cells(const Tiles& tiles, int columns, Format format) {
  std::vector<std::string> all;
  for (int i = 0; i < static_cast<int>(tiles.size()); ++i) {
    const int tile = tiles[static_cast<std::size_t>(i)];
    all.push_back(format(i % columns + 1, i / columns + 1,
                         tile == 0 ? std::string("hole") : std::to_string(tile)));
  }
  return all;
}

}  // namespace

Rules sliding_tiles(const Sizes& sizes) {
  const Bound bounds[] = {{"W", 2, 20}, {"H", 2, 20}, {"STEPS", 1, 100000}};
  Sizes numbers = sizes;
  const bool limited = sizes.size() != 3 || !take_last(numbers, "unlimited");
  const auto read = read_sizes(numbers, bounds, 1);
  if (!read) return tl::unexpected(read.error());
  const int columns = (*read)[0];
  const int rows = (*read)[1];
  const int limit = read->size() > 2 ? (*read)[2] : default_limit(columns, rows);

  Sheet sheet(fmt::format("sliding-tiles {} {} {}", columns, rows,
                          limited ? std::to_string(limit) : "unlimited"));
  sheet.comment(
      fmt::format("Sliding tiles on {} columns and {} rows; row 1 is the top. A move slides the "
                  "tile of a cell into the adjacent hole. The reward is 100 if the tiles are in "
                  "reading order with the hole last{}; otherwise it is 0.",
                  columns, rows, limited ? fmt::format(", within {} moves", limit) : ""));
  sheet.gap().rules("(role player)").gap();
  sheet.facts(cells(start_order(columns, rows), columns, [](int c, int r, const std::string& tile) {
    return fmt::format("(init (cell {} {} {}))", c, r, tile);
  }));
  sheet.gap().facts(
      cells(goal_order(columns, rows), columns, [](int c, int r, const std::string& tile) {
        return fmt::format("(home {} {} {})", c, r, tile);
      }));
  sheet.gap().grid(columns, rows).edge_neighbours(columns, rows).gap().rules(sliding).puzzle_end();
  if (limited) sheet.gap().step_limit(limit);
  return std::move(sheet).text();
}

}  // namespace zermelo::families

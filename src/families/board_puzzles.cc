// Puzzles on a rectangular board: lights out, the queens and the knight's tour.
#include <fmt/format.h>

#include <algorithm>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view lights = R"(
(<= (init (lit ?c ?r))
    (column ?c)
    (row ?r))

(<= (legal player (press ?c ?r))
    (column ?c)
    (row ?r))

(<= (switched ?c ?r)
    (does player (press ?c ?r)))
)";

constexpr std::string_view lights_beside = R"(
(<= (switched ?d ?s)
    (does player (press ?c ?r))
    (beside ?c ?r ?d ?s))
)";

constexpr std::string_view lights_effects = R"(
(<= (next (lit ?c ?r))
    (true (lit ?c ?r))
    (not (switched ?c ?r)))
(<= (next (lit ?c ?r))
    (switched ?c ?r)
    (not (true (lit ?c ?r))))

(<= unsolved
    (true (lit ?_c ?_r)))
)";

constexpr std::string_view queen_attacks = R"(
(<= (later ?c ?d)
    (succ ?c ?d))
(<= (later ?c ?e)
    (later ?c ?d)
    (succ ?d ?e))

; Cells that attack a cell of a later column.
(<= (rising ?c ?r ?d ?s)
    (succ ?c ?d)
    (succ ?r ?s))
(<= (rising ?c ?r ?e ?t)
    (rising ?c ?r ?d ?s)
    (succ ?d ?e)
    (succ ?s ?t))
(<= (attacks ?c ?r ?d ?r)
    (later ?c ?d)
    (row ?r))
(<= (attacks ?c ?r ?d ?s)
    (rising ?c ?r ?d ?s)
    (row ?s))
(<= (attacks ?c ?s ?d ?r)
    (rising ?c ?r ?d ?s)
    (row ?s))

(<= (unsafe ?d ?s)
    (true (queen ?c ?r))
    (attacks ?c ?r ?d ?s))
)";

constexpr std::string_view queen_moves = R"(
(<= (safe ?r)
    (true (column ?c))
    (distinct ?c {0})
    (row ?r){1})
(<= (legal player (place ?c ?r))
    (true (column ?c))
    (safe ?r))

(<= (next (queen ?c ?r))
    (does player (place ?c ?r)))
(<= (next (queen ?c ?r))
    (true (queen ?c ?r)))
(<= (next (column ?d))
    (true (column ?c))
    (succ ?c ?d))

(<= can_place
    (safe ?_r))
(<= terminal
    (not can_place))

; In column ?d, ?n queens have been placed.
(<= (goal player ?reward)
    (true (column ?d))
    (succ ?n ?d)
    (reward ?n ?reward))
(<= (goal player 0)
    (true (column 1)))
)";

constexpr std::string_view knight_moves = R"(
(<= (one_apart ?a ?b)
    (succ ?a ?b))
(<= (one_apart ?b ?a)
    (succ ?a ?b))
(<= (two_apart ?a ?c)
    (succ ?a ?b)
    (succ ?b ?c))
(<= (two_apart ?c ?a)
    (succ ?a ?b)
    (succ ?b ?c))
(<= (wide ?c ?d ?r ?s)
    (column ?c)
    (two_apart ?c ?d)
    (column ?d)
    (row ?r)
    (one_apart ?r ?s)
    (row ?s))
(<= (tall ?c ?d ?r ?s)
    (column ?c)
    (one_apart ?c ?d)
    (column ?d)
    (row ?r)
    (two_apart ?r ?s)
    (row ?s))
(<= (knight ?c ?r ?d ?s)
    (wide ?c ?d ?r ?s))
(<= (knight ?c ?r ?d ?s)
    (tall ?c ?d ?r ?s))

(<= (reachable ?d ?s)
    (true (at ?c ?r))
    (knight ?c ?r ?d ?s)
    (not (true (visited ?d ?s))))
(<= (legal player (jump ?c ?r))
    (reachable ?c ?r))

(<= (next (at ?c ?r))
    (does player (jump ?c ?r)))
(<= (next (visited ?c ?r))
    (does player (jump ?c ?r)))
(<= (next (visited ?c ?r))
    (true (visited ?c ?r)))
(<= (next (count ?n))
    (true (count ?m))
    (succ ?m ?n))

(<= can_jump
    (reachable ?_c ?_r))
(<= terminal
    (not can_jump))
(<= (goal player ?reward)
    (true (count ?n))
    (reward ?n ?reward))
)";

// (reward n 100n/total), rounded down, for n = first..total.
std::vector<std::string> proportional_rewards(int first, int total) {
  std::vector<std::string> facts;
  for (int n = first; n <= total; ++n)
    facts.push_back(fmt::format("(reward {} {})", n, 100 * n / total));
  return facts;
}

}  // namespace

Rules lights_out(const Sizes& sizes) {
  const Bound bounds[] = {{"W", 1, 50}, {"H", 1, 50}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int columns = (*read)[0];
  const int rows = (*read)[1];

  Sheet sheet(fmt::format("lights-out {} {}", columns, rows));
  sheet.comment(fmt::format(
      "Lights Out on {} columns and {} rows. At the start all lights are on, which can be solved "
      "on every board (Sutner 1989). Pressing a cell toggles its light and those of the cells "
      "that share an edge with it. The reward is 100 if all lights are off within {} moves, "
      "otherwise 0.",
      columns, rows, columns * rows));
  sheet.gap().rules("(role player)").gap().grid(columns, rows);
  sheet.edge_neighbours(columns, rows).gap().rules(lights);
  if (columns * rows > 1) {
    sheet.rules(lights_beside);
  }
  sheet.rules(lights_effects).puzzle_end();
  sheet.gap().step_limit(columns * rows);
  return std::move(sheet).text();
}

Rules queens(const Sizes& sizes) {
  const Bound bounds[] = {{"N", 1, 100}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int size = (*read)[0];

  Sheet sheet(fmt::format("queens {}", size));
  sheet.comment(fmt::format(
      "{0} queens on a board of {0} columns and {0} rows. The columns are filled from left to "
      "right: a move places a queen on a cell of the next column that no queen attacks. The game "
      "ends when the board is full or the next column has no safe cell. The reward is the share "
      "of the filled columns in percent, so 100 for {0} queens.",
      size));
  sheet.gap().rules("(role player)\n(init (column 1))").gap();
  sheet.numbers("row", 1, size).chain("succ", 1, size + 1);
  if (size > 1) {
    sheet.rules(queen_attacks);
  }
  sheet.gap().rules(
      fmt::format(queen_moves, size + 1, size > 1 ? "\n    (not (unsafe ?c ?r))" : ""));
  sheet.facts(proportional_rewards(1, size));
  return std::move(sheet).text();
}

Rules knights_tour(const Sizes& sizes) {
  const Bound bounds[] = {{"W", 3, 50}, {"H", 3, 50}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int columns = (*read)[0];
  const int rows = (*read)[1];

  Sheet sheet(fmt::format("knights-tour {} {}", columns, rows));
  sheet.comment(
      fmt::format("The knight's tour on {} columns and {} rows, from the corner (1, 1). A move "
                  "jumps as in chess to a cell that has not been visited. The game ends when "
                  "there is no such cell. The reward is the share of the visited cells in percent, "
                  "so 100 for a tour of the whole board.",
                  columns, rows));
  sheet.gap().rules("(role player)\n(init (at 1 1))\n(init (visited 1 1))\n(init (count 1))").gap();
  sheet.numbers("column", 1, columns).numbers("row", 1, rows);
  sheet.chain("succ", 1, columns * rows).rules(knight_moves);
  sheet.facts(proportional_rewards(1, columns * rows));
  return std::move(sheet).text();
}

}  // namespace zermelo::families

// Peg solitaire on boards of different shapes. A board is a set of holes with coordinates and the
// directions in which a peg may jump. In a triangle the rows are shifted by half a hole, and the
// third direction is the falling diagonal of the coordinates.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view jumping = R"(
(<= (possible ?from ?over ?to)
    (line ?from ?over ?to)
    (true (peg ?from))
    (true (peg ?over))
    (not (true (peg ?to))))
(<= (legal player (jump ?from ?to))
    (possible ?from ?_over ?to))

(<= (emptied ?from)
    (does player (jump ?from ?_to)))
(<= (emptied ?over)
    (does player (jump ?from ?to))
    (line ?from ?over ?to))
(<= (next (peg ?to))
    (does player (jump ?_from ?to)))
(<= (next (peg ?hole))
    (true (peg ?hole))
    (not (emptied ?hole)))
(<= (next (left ?m))
    (true (left ?n))
    (succ ?m ?n))

(<= can_jump
    (possible ?_from ?_over ?_to))
(<= terminal
    (not can_jump))
)";

constexpr std::string_view peg_goals = R"(
(<= (goal player 100)
    (true (left 1))
    (true (peg {0})))
(<= (goal player 99)
    (true (left 1))
    (not (true (peg {0}))))
(<= (goal player ?reward)
    (true (left ?n))
    (reward ?n ?reward))
)";

struct Hole {
  int column;  // from 0
  int row;     // from 0
  bool operator==(const Hole&) const = default;
};

struct Direction {
  int column;
  int row;
};

struct PegBoard {
  std::string name;
  std::vector<Hole> holes;
  std::vector<Direction> directions;
  Hole vacant;  // at the start
  Hole target;  // the hole of the last peg for the full reward
};

std::string hole_name(const Hole& hole) {
  return letter(hole.column) + std::to_string(hole.row + 1);
}

const std::vector<Direction> square_directions = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

// The holes of a square of `size`, without those for which `missing` is true.
template <class Missing>
std::vector<Hole> square_holes(int size, Missing missing) {
  std::vector<Hole> holes;
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < size; ++c) {
      if (!missing(c, r)) holes.push_back({c, r});
    }
  }
  return holes;
}

// A cross with arms of width 3: corners of `corner` x `corner` holes are missing.
PegBoard cross(std::string name, int size, int corner) {
  const auto outer = [=](int i) { return i < corner || i >= size - corner; };
  const Hole centre{size / 2, size / 2};
  return {std::move(name), square_holes(size, [=](int c, int r) { return outer(c) && outer(r); }),
          square_directions, centre, centre};
}

// 37 holes: corners of three holes are missing. The board is not solvable with the centre vacant.
// It is solvable from this vacant hole, with the last peg in the target.
PegBoard european() {
  const auto edge = [](int i) { return std::min(i, 6 - i); };
  return {"european",
          square_holes(7, [=](int c, int r) { return edge(c) + edge(r) < 2; }),
          square_directions,
          {2, 0},
          {4, 6}};
}

PegBoard triangle(int rows) {
  std::vector<Hole> holes;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c <= r; ++c) holes.push_back({c, r});
  }
  return {fmt::format("triangle {}", rows),
          holes,
          {{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}, {-1, -1}},
          {0, 0},
          {0, 0}};
}

PegBoard rectangle(int columns, int rows) {
  std::vector<Hole> holes;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) holes.push_back({c, r});
  }
  const Hole centre{(columns - 1) / 2, (rows - 1) / 2};
  return {fmt::format("rectangle {} {}", columns, rows), holes, square_directions, centre, centre};
}

base::Result<PegBoard> read_board(const Sizes& sizes) {
  const Sizes rest(sizes.begin() + (sizes.empty() ? 0 : 1), sizes.end());
  if (sizes == Sizes{"english"}) return cross("english", 7, 2);
  if (sizes == Sizes{"wiegleb"}) return cross("wiegleb", 9, 3);
  if (sizes == Sizes{"european"}) return european();
  if (!sizes.empty() && sizes[0] == "triangle") {
    const Bound bounds[] = {{"ROWS", 3, 26}};
    const auto read = read_sizes(rest, bounds, 1);
    if (!read) return tl::unexpected(read.error());
    return triangle(read->empty() ? 5 : (*read)[0]);
  }
  if (!sizes.empty() && sizes[0] == "rectangle") {
    const Bound bounds[] = {{"W", 4, 26}, {"H", 1, 26}};
    const auto read = read_sizes(rest, bounds);
    if (!read) return tl::unexpected(read.error());
    return rectangle((*read)[0], (*read)[1]);
  }
  return wrong_sizes(
      "expected a board: english, european, wiegleb, triangle [ROWS] or rectangle W H");
}

// (line from over to) for every possible jump on the board.
std::vector<std::string> lines(const PegBoard& board) {
  const auto has = [&](const Hole& hole) {
    return std::find(board.holes.begin(), board.holes.end(), hole) != board.holes.end();
  };
  std::vector<std::string> facts;
  for (const Hole& from : board.holes) {
    for (const Direction& step : board.directions) {
      const Hole over{from.column + step.column, from.row + step.row};
      const Hole to{over.column + step.column, over.row + step.row};
      if (has(over) && has(to)) {
        facts.push_back(
            fmt::format("(line {} {} {})", hole_name(from), hole_name(over), hole_name(to)));
      }
    }
  }
  return facts;
}

// The rewards for n > 1 pegs: 90 for 2, 80 for 3, ... 10 for 10, and 0 for more.
std::vector<std::string> rewards(int most) {
  std::vector<std::string> facts;
  for (int n = 2; n <= most; ++n) {
    facts.push_back(fmt::format("(reward {} {})", n, std::max(0, 110 - 10 * n)));
  }
  return facts;
}

}  // namespace

Rules peg(const Sizes& sizes) {
  const auto board = read_board(sizes);
  if (!board) return tl::unexpected(board.error());
  const int pegs = static_cast<int>(board->holes.size()) - 1;

  Sheet sheet(fmt::format("peg {}", board->name));
  sheet.comment(fmt::format(
      "Peg solitaire on the {} board of {} holes. Only {} is empty at the start. In a move a peg "
      "jumps in a straight line over an adjacent peg into the empty hole behind it, and the peg "
      "jumped over is removed. The game ends when no jump is possible. The reward is 100 for one "
      "peg left in {}, 99 for one peg elsewhere, 90 for 2 pegs, 80 for 3 pegs, and so on down to "
      "10 for 10 pegs; 0 for more.",
      sizes[0], pegs + 1, hole_name(board->vacant), hole_name(board->target)));
  sheet.gap().rules("(role player)").gap();
  std::vector<std::string> start;
  for (const Hole& hole : board->holes) {
    if (!(hole == board->vacant)) start.push_back(fmt::format("(init (peg {}))", hole_name(hole)));
  }
  sheet.facts(start).facts({fmt::format("(init (left {}))", pegs)}).gap();
  sheet.comment("Three adjacent holes in a line, in the direction of a jump.");
  sheet.facts(lines(*board)).gap().rules(jumping);
  sheet.gap().rules(fmt::format(peg_goals, hole_name(board->target)));
  sheet.facts(rewards(pegs)).chain("succ", 1, pegs);
  return std::move(sheet).text();
}

}  // namespace zermelo::families

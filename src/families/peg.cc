// Peg solitaire on boards of different shapes. A board is a set of holes with coordinates and the
// directions in which a peg may jump; in a triangle, whose rows are shifted against each other by
// half a hole, the third direction is the falling diagonal of the coordinates.
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

struct Board {
  std::string name;
  std::vector<Hole> holes;
  std::vector<Direction> directions;
  Hole vacant;  // at the start
  Hole target;  // where the last peg should end
};

std::string hole_name(const Hole& hole) {
  return letter(hole.column) + std::to_string(hole.row + 1);
}

const std::vector<Direction> square_directions = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

// The holes of a square of `size`, without those that `missing` names.
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

// Two crossing beams of width 3; corners of `corner` x `corner` are missing.
Board cross(std::string name, int size, int corner) {
  const auto outer = [=](int i) { return i < corner || i >= size - corner; };
  const Hole centre{size / 2, size / 2};
  return {std::move(name), square_holes(size, [=](int c, int r) { return outer(c) && outer(r); }),
          square_directions, centre, centre};
}

// 37 holes: corners of three holes are missing. With the centre vacant no single peg can remain;
// from the hole taken here it can, and its last peg ends in the target.
Board european() {
  const auto edge = [](int i) { return std::min(i, 6 - i); };
  return {"european",
          square_holes(7, [=](int c, int r) { return edge(c) + edge(r) < 2; }),
          square_directions,
          {2, 0},
          {4, 6}};
}

Board triangle(int rows) {
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

Board rectangle(int columns, int rows) {
  std::vector<Hole> holes;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) holes.push_back({c, r});
  }
  const Hole centre{(columns - 1) / 2, (rows - 1) / 2};
  return {fmt::format("rectangle {} {}", columns, rows), holes, square_directions, centre, centre};
}

base::Result<Board> read_board(const Sizes& sizes) {
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

// (line from over to) for every jump the board has room for.
std::vector<std::string> lines(const Board& board) {
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

// What n > 1 pegs are worth: 90 for 2, 80 for 3, ... 10 for 10, and 0 for more.
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
      "Peg solitaire on the {} board of {} holes; only {} is empty at the start. A move jumps "
      "with a peg over a neighbouring peg into the empty hole behind it, in a straight line, and "
      "removes the peg jumped over. The game ends when no jump is possible. One peg left in {} "
      "gives 100, one peg elsewhere 99, 2 pegs 90, 3 pegs 80, and so on to 10 pegs 10; more pegs "
      "give 0.",
      sizes[0], pegs + 1, hole_name(board->vacant), hole_name(board->target)));
  sheet.gap().rules("(role player)").gap();
  std::vector<std::string> start;
  for (const Hole& hole : board->holes) {
    if (!(hole == board->vacant)) start.push_back(fmt::format("(init (peg {}))", hole_name(hole)));
  }
  sheet.facts(start).facts({fmt::format("(init (left {}))", pegs)}).gap();
  sheet.comment("Three neighbouring holes in a line, in the direction of a jump.");
  sheet.facts(lines(*board)).gap().rules(jumping);
  sheet.gap().rules(fmt::format(peg_goals, hole_name(board->target)));
  sheet.facts(rewards(pegs)).chain("succ", 1, pegs);
  return std::move(sheet).text();
}

}  // namespace zermelo::families

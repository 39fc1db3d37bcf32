// Games won by a line of marks: tic-tac-toe and connect four.
#include <fmt/format.h>

#include <algorithm>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view line_goals = R"(
(<= won
    (line ?_p))
(<= terminal
    won)
(<= terminal
    (not open))

(<= (goal ?p 100)
    (line ?p))
(<= (goal ?p 50)
    (role ?p)
    (not won))
(<= (goal ?p 0)
    (role ?p)
    (line ?q)
    (distinct ?p ?q))
)";

constexpr std::string_view marking = R"(
(<= (legal ?p (mark ?c ?r))
    (true (control ?p))
    (true (cell ?c ?r b)))

(<= (marked ?c ?r)
    (does ?_p (mark ?c ?r)))
(<= (next (cell ?c ?r ?p))
    (does ?p (mark ?c ?r)))
(<= (next (cell ?c ?r b))
    (true (cell ?c ?r b))
    (not (marked ?c ?r)))
(<= (next (cell ?c ?r ?p))
    (true (cell ?c ?r ?p))
    (distinct ?p b))

(<= open
    (true (cell ?_c ?_r b)))
)";

constexpr std::string_view dropping = R"(
(<= (legal ?p (drop ?c))
    (true (control ?p))
    (true (cell ?c {0} b)))

(<= (filled ?c ?r)
    (does ?_p (drop ?c))
    (landing ?c ?r))
(<= (next (cell ?c ?r ?p))
    (does ?p (drop ?c))
    (landing ?c ?r))
(<= (next (cell ?c ?r b))
    (true (cell ?c ?r b))
    (not (filled ?c ?r)))
(<= (next (cell ?c ?r ?p))
    (true (cell ?c ?r ?p))
    (distinct ?p b))

(<= open
    (true (cell ?_c {0} b)))
)";

struct LineBoard {
  int columns;
  int rows;
  int length;  // of a winning line
};

// (relation 1 2 .. length), (relation 2 3 .. length+1), ... within 1..size.
std::vector<std::string> runs(std::string_view relation, int size, int length) {
  std::vector<std::string> facts;
  for (int first = 1; first + length - 1 <= size; ++first) {
    std::string fact = fmt::format("({}", relation);
    for (int i = 0; i < length; ++i) fact += fmt::format(" {}", first + i);
    facts.push_back(fact + ")");
  }
  return facts;
}

// relation ?v1 ... ?vn, the variables named after `variable`.
std::string run_literal(std::string_view relation, std::string_view variable, int length) {
  std::string literal = fmt::format("({}", relation);
  for (int i = 1; i <= length; ++i) literal += fmt::format(" ?{}{}", variable, i);
  return literal + ")";
}

// A rule for (line ?p): the conditions, then one cell per mark.
template <class Cell>
std::string line_rule(const std::vector<std::string>& conditions, int length, Cell cell) {
  std::string rule = "(<= (line ?p)\n    (role ?p)";
  for (const std::string& condition : conditions) rule += "\n    " + condition;
  for (int i = 1; i <= length; ++i) rule += fmt::format("\n    (true (cell {} ?p))", cell(i));
  return rule + ")";
}

void write_straight_lines(Sheet& sheet, const LineBoard& board) {
  const int length = board.length;
  if (length <= board.columns) {
    sheet.rules(line_rule({run_literal("across", "c", length), "(row ?r)"}, length,
                          [](int i) { return fmt::format("?c{} ?r", i); }));
  }
  if (length <= board.rows) {
    sheet.rules(line_rule({"(column ?c)", run_literal("upward", "r", length)}, length,
                          [](int i) { return fmt::format("?c ?r{}", i); }));
  }
}

void write_diagonals(Sheet& sheet, const LineBoard& board) {
  const int length = board.length;
  if (length > std::min(board.columns, board.rows)) return;
  const std::vector<std::string> conditions = {run_literal("across", "c", length),
                                               run_literal("upward", "r", length)};
  sheet.rules(line_rule(conditions, length, [](int i) { return fmt::format("?c{} ?r{}", i, i); }));
  sheet.rules(line_rule(conditions, length,
                        [&](int i) { return fmt::format("?c{} ?r{}", i, length + 1 - i); }));
}

// The predicate (line ?p), the winner, and the draw when `open` no longer holds.
void write_lines_and_goals(Sheet& sheet, const LineBoard& board) {
  sheet.gap().comment(fmt::format("A line: {} adjacent marks of one player.", board.length));
  sheet.facts(runs("across", board.columns, board.length));
  sheet.facts(runs("upward", board.rows, board.length));
  write_straight_lines(sheet, board);
  if (board.length > 1) write_diagonals(sheet, board);
  sheet.gap().rules(line_goals);
}

void write_board(Sheet& sheet, const LineBoard& board) {
  sheet.numbers("column", 1, board.columns).numbers("row", 1, board.rows);
  sheet.rules(R"(
(<= (init (cell ?c ?r b))
    (column ?c)
    (row ?r))
)");
}

void write_landing(Sheet& sheet, const LineBoard& board) {
  sheet.rules(R"(
; The cell where the next disc of a column lands.
(<= (landing ?c 1)
    (true (cell ?c 1 b)))
)");
  if (board.rows == 1) return;
  sheet.rules(R"(
(<= (landing ?c ?r)
    (true (cell ?c ?r b))
    (succ ?s ?r)
    (not (true (cell ?c ?s b))))
)");
  sheet.chain("succ", 1, board.rows);
}

tl::unexpected<base::Error> no_line_fits(const LineBoard& board) {
  return wrong_sizes(fmt::format("no line of {} fits on a board of {} columns and {} rows",
                                 board.length, board.columns, board.rows));
}

}  // namespace

Rules tic_tac_toe(const Sizes& sizes) {
  const Bound bounds[] = {{"W", 1, 50}, {"H", 1, 50}, {"K", 1, 50}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const LineBoard board{(*read)[0], (*read)[1], (*read)[2]};
  if (board.length > std::max(board.columns, board.rows)) return no_line_fits(board);

  Sheet sheet(fmt::format("tic-tac-toe {} {} {}", board.columns, board.rows, board.length));
  sheet.comment(fmt::format(
      "Tic-tac-toe on {} columns and {} rows. The players x and o take turns, x first, and mark "
      "an empty cell. A player with {} adjacent marks in a row, column or diagonal wins, 100 to "
      "0. A full board without such a line is a draw, 50 each.",
      board.columns, board.rows, board.length));
  sheet.gap().rules("(role x)\n(role o)").gap();
  write_board(sheet, board);
  sheet.gap().turns("x", "o").gap().rules(marking);
  write_lines_and_goals(sheet, board);
  return std::move(sheet).text();
}

Rules connect_four(const Sizes& sizes) {
  const Bound bounds[] = {{"W", 1, 50}, {"H", 1, 50}, {"K", 1, 50}};
  const auto read = read_sizes(sizes, bounds, 1);
  if (!read) return tl::unexpected(read.error());
  const LineBoard board{(*read)[0], (*read)[1], read->size() > 2 ? (*read)[2] : 4};
  if (board.length > std::max(board.columns, board.rows)) return no_line_fits(board);

  Sheet sheet(fmt::format("connect-four {} {} {}", board.columns, board.rows, board.length));
  sheet.comment(fmt::format(
      "Connect Four on {} columns and {} rows; row 1 is the bottom. The players red and yellow "
      "take turns, red first, and drop a disc into a column that is not full; it falls onto the "
      "top disc of the column. A player with {} adjacent discs in a row, column or diagonal wins, "
      "100 to 0. A full board without such a line is a draw, 50 each.",
      board.columns, board.rows, board.length));
  sheet.gap().rules("(role red)\n(role yellow)").gap();
  write_board(sheet, board);
  sheet.gap().turns("red", "yellow").gap();
  write_landing(sheet, board);
  sheet.gap().rules(fmt::format(dropping, board.rows));
  write_lines_and_goals(sheet, board);
  return std::move(sheet).text();
}

}  // namespace zermelo::families

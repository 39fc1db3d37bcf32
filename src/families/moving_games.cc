// Games with moving pieces on a rectangular board: clobber, breakthrough and a position of
// breakthrough with walls.
#include <fmt/format.h>

#include <algorithm>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view clobber_moves = R"(
(opponent white black)
(opponent black white)

(<= (legal ?p (move ?c ?r ?d ?s))
    (true (control ?p))
    (true (cell ?c ?r ?p))
    (beside ?c ?r ?d ?s)
    (opponent ?p ?q)
    (true (cell ?d ?s ?q)))
)";

constexpr std::string_view clobber_end = R"(
(<= can_move
    (true (control ?p))
    (legal ?p (move ?_c ?_r ?_d ?_s)))
(<= terminal
    (not can_move))
)";

constexpr std::string_view pawn_directions = R"(
; One row forward, straight and diagonally.
(<= (ahead white ?r ?s)
    (up ?r ?s))
(<= (ahead black ?s ?r)
    (up ?r ?s))
(<= (aslant ?c ?d)
    (right ?c ?d))
(<= (aslant ?d ?c)
    (right ?c ?d))
)";

constexpr std::string_view pawn_moves = R"(
(<= (legal ?p (move ?c ?r ?c ?s))
    (true (control ?p))
    (true (cell ?c ?r ?p))
    (ahead ?p ?r ?s)
    (true (cell ?c ?s empty)))
(<= (legal ?p (move ?c ?r ?d ?s))
    (true (control ?p))
    (true (cell ?c ?r ?p))
    (ahead ?p ?r ?s)
    (aslant ?c ?d)
    (true (cell ?d ?s ?x))
    (distinct ?x ?p))
)";

constexpr std::string_view pawn_goals = R"(
(<= (has_pawns ?p)
    (role ?p)
    (true (cell ?_c ?_r ?p)))
(<= (won white)
    (true (cell ?_c {} white)))
(<= (won white)
    (not (has_pawns black)))
(<= (won black)
    (true (cell ?_c 1 black)))
(<= (won black)
    (not (has_pawns white)))
(<= terminal
    (won ?_p))

(<= (goal ?p 100)
    (won ?p))
(<= (goal ?p 0)
    (role ?p)
    (not (won ?p)))
)";

constexpr std::string_view token_rewards = R"(
(<= (tokens ?p 0 0)
    (role ?p))
(<= (tokens ?p ?i ?n)
    (numbered ?i ?c ?r)
    (true (cell ?c ?r ?p))
    (succ ?h ?i)
    (tokens ?p ?h ?m)
    (succ ?m ?n))
(<= (tokens ?p ?i ?n)
    (numbered ?i ?c ?r)
    (role ?p)
    (not (true (cell ?c ?r ?p)))
    (succ ?h ?i)
    (tokens ?p ?h ?n))
(<= (goal ?p ?reward)
    (role ?p)
    (not (true (control ?p)))
    (tokens ?p {} ?n)
    (reward ?n ?reward))
(<= (goal ?p 0)
    (true (control ?p)))
)";

// The effects of a move on its two cells; all other cells stay the same.
constexpr std::string_view move_effects = R"(
(<= (touched ?c ?r)
    (does ?_p (move ?c ?r ?_d ?_s)))
(<= (touched ?d ?s)
    (does ?_p (move ?_c ?_r ?d ?s)))
(<= (next (cell ?c ?r empty))
    (does ?_p (move ?c ?r ?_d ?_s)))
(<= (next (cell ?d ?s ?p))
    (does ?p (move ?_c ?_r ?d ?s)))
(<= (next (cell ?c ?r ?x))
    (true (cell ?c ?r ?x))
    (not (touched ?c ?r)))
)";

// The position of Figure 7 in Finnsson and Björnsson, "Game-Tree Properties and MCTS Performance"
// (GIGA 2011), read from its description: the figure itself is not in the text. Walls (files c and
// j) are cells without fluents. Black's pawns stand as white's do after half a turn of the board.
struct Square {
  char file;
  int rank;
};

constexpr int optimistic_ranks = 8;
constexpr char last_file = 'l';

bool is_wall(Square square) { return square.file == 'c' || square.file == 'j'; }

Square turned(Square square) {
  return {static_cast<char>('a' + last_file - square.file), optimistic_ranks + 1 - square.rank};
}

// Of the six pawns in the middle, those on the outer files stay longest; a single one is on d2.
std::vector<Square> white_pawns(int in_the_middle) {
  std::vector<Square> pawns = {{'b', 5}, {'k', 2}, {'l', 2}};
  const int per_side = std::max(1, in_the_middle / 2);
  for (int i = 0; i < per_side; ++i) {
    pawns.push_back({static_cast<char>('d' + i), 2});
    if (in_the_middle > 1) pawns.push_back({static_cast<char>('i' - i), 1});
  }
  return pawns;
}

std::vector<std::string> optimistic_position(int in_the_middle) {
  const std::vector<Square> pawns = white_pawns(in_the_middle);
  const auto stands = [&](Square square) {
    return std::any_of(pawns.begin(), pawns.end(), [&](Square pawn) {
      return pawn.file == square.file && pawn.rank == square.rank;
    });
  };
  std::vector<std::string> facts;
  for (int rank = 1; rank <= optimistic_ranks; ++rank) {
    for (char file = 'a'; file <= last_file; ++file) {
      const Square square{file, rank};
      if (is_wall(square)) continue;
      const char* owner = stands(square) ? "white" : stands(turned(square)) ? "black" : "empty";
      facts.push_back(fmt::format("(init (cell {} {} {}))", file, rank, owner));
    }
  }
  return facts;
}

// As pawn_moves; a player without a move waits.
constexpr std::string_view pawn_moves_or_pass = R"(
(<= (pawn_move ?p ?c ?r ?c ?s)
    (true (control ?p))
    (true (cell ?c ?r ?p))
    (ahead ?p ?r ?s)
    (true (cell ?c ?s empty)))
(<= (pawn_move ?p ?c ?r ?d ?s)
    (true (control ?p))
    (true (cell ?c ?r ?p))
    (ahead ?p ?r ?s)
    (aslant ?c ?d)
    (true (cell ?d ?s ?x))
    (distinct ?x ?p))
(<= (can_move ?p)
    (pawn_move ?p ?_c ?_r ?_d ?_s))
(<= (legal ?p (move ?c ?r ?d ?s))
    (pawn_move ?p ?c ?r ?d ?s))
(<= (legal ?p pass)
    (true (control ?p))
    (not (can_move ?p)))
)";

// (init (cell c r owner)) for the whole board.
template <class Owner>
std::vector<std::string> start_position(int columns, int rows, Owner owner) {
  std::vector<std::string> facts;
  for (int r = 1; r <= rows; ++r) {
    for (int c = 1; c <= columns; ++c) {
      facts.push_back(fmt::format("(init (cell {} {} {}))", c, r, owner(c, r)));
    }
  }
  return facts;
}

constexpr std::string_view last_mover_wins = R"(
; A player who is to move and has no move has lost.
(<= (goal ?p 100)
    (role ?p)
    (not (true (control ?p))))
(<= (goal ?p 0)
    (true (control ?p)))
)";

// The winner's reward grows with the number of tokens left, counted over the cells in reading
// order.
void write_token_rewards(Sheet& sheet, int columns, int rows) {
  const int cells = columns * rows;
  sheet.comment("The winner gets 10 per remaining token, at most 100; the loser gets 0.");
  std::vector<std::string> order;
  for (int i = 0; i < cells; ++i) {
    order.push_back(fmt::format("(numbered {} {} {})", i + 1, i % columns + 1, i / columns + 1));
  }
  sheet.facts(order).chain("succ", 0, cells);
  std::vector<std::string> rewards;
  for (int n = 1; n <= (cells + 1) / 2; ++n) {
    rewards.push_back(fmt::format("(reward {} {})", n, std::min(10 * n, 100)));
  }
  sheet.facts(rewards).rules(fmt::format(token_rewards, cells));
}

}  // namespace

Rules clobber(const Sizes& sizes) {
  const bool by_tokens = sizes.size() == 3 && sizes.back() == "tokens";
  const Bound bounds[] = {{"W", 1, 50}, {"H", 1, 50}};
  const auto read = read_sizes(by_tokens ? Sizes(sizes.begin(), sizes.end() - 1) : sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int columns = (*read)[0];
  const int rows = (*read)[1];
  if (columns * rows < 2) return wrong_sizes("clobber needs a board of at least two cells");

  Sheet sheet(fmt::format("clobber {} {}{}", columns, rows, by_tokens ? " tokens" : ""));
  sheet.comment(fmt::format(
      "Clobber on {} columns and {} rows, filled with white and black tokens like a chess board. "
      "White starts. A move takes a token of the player to a horizontally or vertically adjacent "
      "cell that holds a token of the opponent, which is removed. A player who cannot move "
      "loses{}",
      columns, rows, by_tokens ? "." : ", 0 to 100."));
  sheet.gap().rules("(role white)\n(role black)").gap();
  sheet.facts(start_position(columns, rows,
                             [](int c, int r) { return (c + r) % 2 == 0 ? "white" : "black"; }));
  sheet.gap();
  if (rows > 1) sheet.numbers("column", 1, columns);
  if (columns > 1) sheet.numbers("row", 1, rows);
  sheet.chain("right", 1, columns).chain("up", 1, rows).edge_neighbours(columns, rows);
  sheet.gap().turns("white", "black").gap().rules(clobber_moves);
  sheet.gap().rules(move_effects).gap().rules(clobber_end);
  sheet.gap();
  if (by_tokens) {
    write_token_rewards(sheet, columns, rows);
  } else {
    sheet.rules(last_mover_wins);
  }
  return std::move(sheet).text();
}

Rules breakthrough(const Sizes& sizes) {
  const Bound bounds[] = {{"W", 2, 50}, {"H", 4, 50}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int columns = (*read)[0];
  const int rows = (*read)[1];

  Sheet sheet(fmt::format("breakthrough {} {}", columns, rows));
  sheet.comment(fmt::format(
      "Breakthrough on {} columns and {} rows. White's pawns fill the two lowest rows, black's "
      "the two highest. White starts. A pawn moves one row forward, straight or diagonally, to "
      "an empty cell. Diagonally it may also capture a pawn of the opponent. A player wins, 100 "
      "to 0, by moving a pawn to the opponent's first row or by capturing the opponent's last "
      "pawn.",
      columns, rows));
  sheet.gap().rules("(role white)\n(role black)").gap();
  sheet.facts(start_position(columns, rows, [rows](int, int r) {
    return r <= 2 ? "white" : r > rows - 2 ? "black" : "empty";
  }));
  sheet.chain("right", 1, columns).chain("up", 1, rows);
  sheet.gap().rules(pawn_directions);
  sheet.gap().turns("white", "black").gap().rules(pawn_moves);
  sheet.gap().rules(move_effects).gap().rules(fmt::format(pawn_goals, rows));
  return std::move(sheet).text();
}

Rules optimistic(const Sizes& sizes) {
  const Bound bounds[] = {{"PAWNS", 1, 6}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int pawns = (*read)[0];
  if (pawns == 3 || pawns == 5) return wrong_sizes("PAWNS must be 1, 2, 4 or 6");
  std::vector<std::string> files;
  for (char file = 'a'; file < last_file; ++file)
    files.push_back(fmt::format("(right {} {})", file, static_cast<char>(file + 1)));

  Sheet sheet(fmt::format("optimistic {}", pawns));
  sheet.comment(
      fmt::format("Breakthrough with walls and with {} pawns of each player in the middle. White "
                  "to move wins there, with a pawn on "
                  "rank 2. The pawn on b5 looks better: on b6 it threatens to win, and only one "
                  "reply, its capture, prevents that. "
                  "Then black wins. This is an optimistic move.",
                  pawns));
  sheet.gap().rules("(role white)\n(role black)").gap().facts(optimistic_position(pawns));
  sheet.facts(files).chain("up", 1, optimistic_ranks);
  sheet.gap().rules(pawn_directions).gap().turns("white", "black");
  sheet.gap().rules(pawn_moves_or_pass).gap().rules(move_effects);
  sheet.gap().rules(fmt::format(pawn_goals, optimistic_ranks));
  return std::move(sheet).text();
}

}  // namespace zermelo::families

// The paper shows its position only as a diagram and describes it: capturing on a7 or c7 with the
// pawn on b6 looks promising, as all answers but one lose; a5-a6 wins by force, since a pawn gets
// to b7 next and from there to a8; ten other moves do little. This position has all of these
// properties:
//
//   8  . b . . . . . .        b7 blocks b6, and b8 recaptures on a7 and c7.
//   7  b b b . . b b .        White's pawns below have ten moves. The pawn on h4 needs three
//   6  . w . . . . . .        moves, which is one too many against a5-a6 and enough against
//   5  w . . . . . . .        everything else.
//   4  . . . . . . . b
//   3  . . . . . . . .
//   2  . . w w w . . .
//   1  . . w . . . . .
//      a b c d e f g h
#include "search/position_study.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "search/threads.h"

namespace zermelo::search {
namespace {

constexpr std::string_view board[] = {".b......", "bbb..bb.", ".w......", "w.......",
                                      ".......b", "........", "..www...", "..w....."};

std::vector<std::string> fluents_of_board() {
  std::vector<std::string> fluents = {"(control white)"};
  for (std::size_t row = 1; row <= 8; ++row) {
    for (std::size_t column = 1; column <= 8; ++column) {
      const char pawn = board[8 - row][column - 1];
      const char* const name = pawn == 'w' ? "white" : pawn == 'b' ? "black" : "empty";
      fluents.push_back("(cell " + std::to_string(column) + " " + std::to_string(row) + " " + name +
                        ")");
    }
  }
  return fluents;
}

std::optional<State> state_of(const ground::Game& game, const std::vector<std::string>& fluents) {
  State state(game.fluents.size());
  std::size_t found = 0;
  for (ground::Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
    const std::string name = game.fluent_name(fluent);
    if (std::find(fluents.begin(), fluents.end(), name) == fluents.end()) continue;
    state.set(fluent);
    ++found;
  }
  if (found != fluents.size()) return std::nullopt;
  return state;
}

// Returns the move with the highest estimate. A proved move has its exact value.
Move best_estimate(Uct& uct, std::size_t role) {
  Move best = 0;
  double highest = -1;
  for (const MoveReport& move : uct.moves(role)) {
    const double value = move.exact ? (*move.exact)[role] / 100.0 : move.value;
    if (value <= highest) continue;
    highest = value;
    best = move.move;
  }
  return best;
}

// Counts in `solved`, by question, the trials in which the search is right.
void run_trial(const TestPosition& position, UctOptions agent, const StudyOptions& options,
               std::vector<std::atomic<std::uint32_t>>& solved) {
  agent.memory_bytes = std::size_t{1} << 26;
  Uct uct(position.simulator, std::move(agent));
  uct.set_root(position.state);
  std::uint64_t simulations = 0;
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const std::uint64_t wanted = (i + 1) * std::uint64_t{options.every};
    if (simulations < wanted) simulations += uct.search({{}, wanted - simulations}).simulations;
    if (best_estimate(uct, position.role) == position.solution) ++solved[i];
  }
}

}  // namespace

std::optional<TestPosition> breakthrough_position(std::shared_ptr<const Simulator> simulator) {
  if (!simulator->machine()) return std::nullopt;
  const auto state = state_of(simulator->machine()->game(), fluents_of_board());
  if (!state) return std::nullopt;
  const auto walker = simulator->walker();
  walker->go_to(*state);
  const auto solution = find_move(*simulator, *walker, 0, "(move 1 5 1 6)");
  if (!solution) return std::nullopt;
  return TestPosition{simulator, *state, 0, *solution};
}

std::vector<base::Interval> how_often_solved(const TestPosition& position, const UctOptions& agent,
                                             const StudyOptions& options) {
  std::vector<std::atomic<std::uint32_t>> solved(options.simulations / options.every);
  std::atomic<std::uint32_t> next = 0;
  on_threads(std::max(options.threads, 1u), [&](std::size_t) {
    for (std::uint32_t trial;
         !options.stop.stop_requested() && (trial = next++) < options.trials;) {
      UctOptions seeded = agent;
      seeded.seed = options.seed + trial;
      run_trial(position, std::move(seeded), options, solved);
    }
  });
  std::vector<base::Interval> shares;
  for (const auto& count : solved) shares.push_back(base::share_95(count, options.trials));
  return shares;
}

}  // namespace zermelo::search

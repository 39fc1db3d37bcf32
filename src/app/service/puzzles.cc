#include "app/service/puzzles.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/random.h"
#include "search/uct.h"

namespace zermelo::app {
namespace {

constexpr std::size_t fewest_moves = 3;  // with two, guessing is right half of the time

class PuzzleFinder {
 public:
  PuzzleFinder(const OpenGame& game, const PuzzleRequest& request, const Context& context)
      : game_(game),
        request_(request),
        stop_(context.stop),
        limits_(request.limits.start_time(context)),
        random_(request.seed),
        walker_(game.simulator()->walker()) {}

  std::vector<Puzzle> find() {
    constexpr int max_games = 2'000;
    for (int i = 0; i < max_games && puzzles_.size() < request_.count && !is_over(); ++i) {
      play_game();
    }
    for (Puzzle& puzzle : puzzles_) puzzle.surprise = surprise_of(puzzle);
    std::stable_sort(puzzles_.begin(), puzzles_.end(), [](const Puzzle& a, const Puzzle& b) {
      return std::tuple(a.distance.value_or(0), b.surprise) <
             std::tuple(b.distance.value_or(0), a.surprise);
    });
    return std::move(puzzles_);
  }

 private:
  bool is_over() const { return limits_.exceeded().has_value(); }

  // Half of the moves are best ones, so that the games reach positions that are still open.
  void play_game() {
    constexpr std::size_t longest = 200;
    walker_->go_to(game_.simulator()->initial());
    history_.clear();
    while (!walker_->terminal() && history_.size() < longest && !is_over()) {
      const auto stored = stored_position();
      if (!stored || !stored->turn || stored->moves.empty()) return;
      consider(*stored);
      const auto& moves = stored->moves;
      const auto number = static_cast<std::uint32_t>(moves.size());
      make(*stored->turn, moves[random_.below(2) == 0 ? 0 : random_.below(number)].move);
    }
  }

  // Other threads may read the solution between two positions.
  std::optional<solve::StoredPosition> stored_position() const {
    std::optional<solve::StoredPosition> result;
    game_.with_solution([&](solve::SolutionReader& solution) {
      auto stored = solution.position(walker_->state(), history_.size());
      if (stored) result = std::move(*stored);
    });
    return result;
  }

  void make(std::size_t role, search::Move move) {
    std::vector<search::Move> joint;
    std::vector<std::string> names;
    for (std::size_t other = 0; other < game_.roles().size(); ++other) {
      joint.push_back(other == role ? move : walker_->legal(other)[0]);
      names.push_back(game_.simulator()->move_name(joint.back()));
    }
    walker_->make(joint);
    history_.push_back(std::move(names));
  }

  void consider(const solve::StoredPosition& stored) {
    if (stored.moves.size() < fewest_moves || puzzles_.size() >= request_.count) return;
    const auto good = std::count_if(stored.moves.begin(), stored.moves.end(),
                                    [](const solve::MoveValue& move) { return move.keeps_value; });
    if (good != 1) return;
    const std::size_t role = *stored.turn;
    const Outcome outcome = outcome_of(*game_.simulator(), stored.value.rewards, role);
    if (outcome == Outcome::endless || outcome == Outcome::lose) return;
    if (!seen_.insert(game_.simulator()->fluent_names(walker_->state())).second) return;
    puzzles_.push_back(
        {history_, game_.roles()[role], outcome, stored.value.distance, stored.moves.size(), 0});
    solutions_.push_back(stored.moves.front().move);
    states_.push_back(walker_->state());
    roles_.push_back(role);
  }

  double surprise_of(const Puzzle& puzzle) {
    constexpr std::uint64_t simulations = 400;
    const auto number = static_cast<std::size_t>(&puzzle - puzzles_.data());
    if (is_over()) return 0;
    search::UctOptions options;
    options.proofs = false;
    options.memory_bytes = std::size_t{64} << 20;
    search::Uct uct(game_.simulator(), options);
    uct.set_root(states_[number]);
    uct.search({std::nullopt, simulations}, stop_);
    std::uint64_t all = 0, right = 0;
    for (const search::MoveReport& move : uct.moves(roles_[number])) {
      all += move.visits;
      if (move.move == solutions_[number]) right = move.visits;
    }
    return all == 0 ? 0 : 1 - static_cast<double>(right) / static_cast<double>(all);
  }

  const OpenGame& game_;
  const PuzzleRequest& request_;
  const std::stop_token stop_;
  const base::Limits limits_;
  base::Random random_;
  std::unique_ptr<search::Walker> walker_;
  std::vector<std::vector<std::string>> history_;
  std::set<std::vector<std::string>> seen_;
  std::vector<Puzzle> puzzles_;
  // By puzzle:
  std::vector<search::Move> solutions_;
  std::vector<search::State> states_;
  std::vector<std::size_t> roles_;
};

}  // namespace

base::Result<std::vector<Puzzle>> find_puzzles(const OpenGame& game, const PuzzleRequest& request,
                                               const Context& context) {
  if (game.is_solved()) return PuzzleFinder(game, request, context).find();
  return base::fail(base::ErrorKind::not_applicable, "puzzles require a solved game");
}

}  // namespace zermelo::app

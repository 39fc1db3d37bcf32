// Alpha-beta over the difference of both goals, which the first role wants high and the second
// low. A table of fixed size holds, by a hash of the state, bounds and the best move, which is
// tried first; the deeper result stays. A state at the depth limit is worth what the goals say
// there, although the game is not over: the plain evaluation. A result is complete when no line
// below was cut off; complete results are true at any depth, so a search whose root is complete
// has solved the position and ends.
#include "search/alpha_beta.h"

#include <algorithm>

#include "search/random_move.h"

namespace zermelo::search {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int infinite = 1'000;

std::uint64_t key_of(const State& state) {
  const std::uint64_t h = state.hash();
  return (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
}

// Whether both roles are seen to have a choice in one state of some random games. Looks at no more
// states than a player has time for before its first move, on the engine there is.
bool both_decide(const Engine& engine) {
  const int most_states = engine.machine() ? 1'000 : 20;
  constexpr int most_games = 20;
  const auto walker = engine.walker();
  base::Random random(1);
  walker->go_to(engine.initial());
  for (int state = 0, game = 0; state < most_states && game < most_games; ++state) {
    if (walker->legal(0).size() > 1 && walker->legal(1).size() > 1) return true;
    Move joint[2];
    if (!walker->terminal() && choose_at_random(*walker, random, joint)) {
      walker->make(joint);
    } else {
      walker->go_to(engine.initial());
      ++game;
    }
  }
  return false;
}

}  // namespace

base::Result<AlphaBeta> AlphaBeta::make(std::shared_ptr<const Engine> engine,
                                        const AlphaBetaOptions& options) {
  const auto refuse = [](const char* message) {
    return base::fail(base::ErrorKind::not_applicable, message);
  };
  if (engine->roles().size() != 2) return refuse("alpha-beta needs a game of two players");
  if (both_decide(*engine)) return refuse("alpha-beta needs a game in which one decides at a time");
  return AlphaBeta(std::move(engine), options);
}

AlphaBeta::AlphaBeta(std::shared_ptr<const Engine> engine, const AlphaBetaOptions& options)
    : engine_(std::move(engine)),
      walker_(engine_->walker()),
      table_(std::max<std::size_t>(options.table_bytes / sizeof(Entry), 1)) {}

AlphaBetaReport AlphaBeta::search(const State& state, const AlphaBetaBudget& budget) {
  deadline_.reset();
  if (budget.seconds) {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*budget.seconds);
  }
  stopped_ = false;
  AlphaBetaReport report;
  walker_->go_to(state);
  const std::size_t decider = walker_->legal(0).size() > 1 ? 0 : 1;
  report.move = walker_->legal(decider).front();
  for (unsigned depth = 1; depth <= budget.depth && !report.is_exact; ++depth) {
    walker_->go_to(state);
    const Value value = visit_moves(state, key_of(state), depth, -infinite, infinite);
    if (stopped_) break;
    report.move = value.move;
    report.value = value.value;
    report.depth = depth;
    report.is_exact = value.complete;
  }
  return report;
}

AlphaBeta::Value AlphaBeta::visit(const State& state, unsigned depth, int alpha, int beta) {
  if (out_of_time()) return {};
  walker_->go_to(state);
  if (walker_->terminal()) return {evaluate(), true, 0};
  if (depth == 0) return {evaluate(), false, 0};
  const std::uint64_t key = key_of(state);
  const Entry& known = entry(key);
  if (known.key == key && known.bound != Bound::none && (known.complete || known.depth >= depth)) {
    const bool cuts = known.bound == Bound::exact ||
                      (known.bound == Bound::lower && known.value >= beta) ||
                      (known.bound == Bound::upper && known.value <= alpha);
    if (cuts) return {known.value, known.complete, known.move};
  }
  return visit_moves(state, key, depth, alpha, beta);
}

// A cut by one complete refutation is complete, whatever was tried before.
AlphaBeta::Value AlphaBeta::visit_moves(const State& state, std::uint64_t key, unsigned depth,
                                        int alpha, int beta) {
  const bool first_decides = walker_->legal(0).size() > 1 || walker_->legal(1).size() <= 1;
  const std::size_t decider = first_decides ? 0 : 1;
  const std::vector<Move> moves = ordered_moves(decider, key);
  if (moves.empty() || walker_->legal(1 - decider).empty()) return {0, true, 0};
  const Move other = walker_->legal(1 - decider).front();
  Value best{first_decides ? -infinite : infinite, true, moves.front()};
  int low = alpha, high = beta;
  for (const Move move : moves) {
    const Move joint[] = {first_decides ? move : other, first_decides ? other : move};
    walker_->go_to(state);
    walker_->make(joint);
    const Value value = visit(walker_->state(), depth - 1, low, high);
    if (stopped_) return {};
    best.complete = best.complete && value.complete;
    if (first_decides ? value.value > best.value : value.value < best.value) {
      best.value = value.value;
      best.move = move;
    }
    (first_decides ? low : high) =
        first_decides ? std::max(low, best.value) : std::min(high, best.value);
    if (low < high) continue;
    best.complete = value.complete;
    break;
  }
  Entry& slot = entry(key);
  if (slot.key != key || slot.depth <= depth || best.complete) {
    slot = {key,
            best.move,
            static_cast<std::int16_t>(best.value),
            static_cast<std::uint16_t>(depth),
            best.value <= alpha  ? Bound::upper
            : best.value >= beta ? Bound::lower
                                 : Bound::exact,
            best.complete};
  }
  return best;
}

int AlphaBeta::evaluate() { return walker_->goal(0) - walker_->goal(1); }

std::vector<Move> AlphaBeta::ordered_moves(std::size_t role, std::uint64_t key) {
  const std::span<const Move> legal = walker_->legal(role);
  std::vector<Move> moves(legal.begin(), legal.end());
  const Entry& known = entry(key);
  if (known.key != key) return moves;
  const auto found = std::find(moves.begin(), moves.end(), known.move);
  if (found != moves.end()) std::rotate(moves.begin(), found, found + 1);
  return moves;
}

bool AlphaBeta::out_of_time() {
  stopped_ = stopped_ || (deadline_ && Clock::now() >= *deadline_);
  return stopped_;
}

}  // namespace zermelo::search

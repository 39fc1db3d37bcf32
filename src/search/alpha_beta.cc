// Fail-soft alpha-beta with iterative deepening. The value of a state is the goal of the first role
// minus the goal of the second; the first role maximises it. The initial window is the range of
// that difference, so a move that reaches a bound, a win, ends the search of its state. At the
// depth limit the goals of the state serve as the estimate, clamped so that it is never a win:
// every win is proved. A result is complete, that is exact at any depth, if it does not depend on a
// line cut off by the depth limit. A root with a complete result is solved, and the search ends.
//
// The transposition table maps the hash of a state to a bound and the best move, which is tried
// first. A new result replaces an entry of another state or of an earlier search. It replaces a
// deeper entry of the same state and search only if the new result is complete.
//
// If states can recur, moves that preserve a win may still go in a circle. So only the moves of
// earlier searches are reused, not their values. Once a root occurs a second time, complete results
// count only within the depth that found them, so that every move makes progress towards the win.
#include "search/alpha_beta.h"

#include <algorithm>

#include "search/random_move.h"

namespace zermelo::search {
namespace {

using Clock = std::chrono::steady_clock;

// Larger than any value.
constexpr int infinite = 1'000;

std::uint64_t key_of(const State& state) {
  const std::uint64_t h = state.hash();
  return (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
}

// Returns the greatest goal of a role, at least 1, so that there is a value between win and loss.
int max_goal(const Simulator& simulator, std::size_t role) {
  const std::vector<int> goals = simulator.goal_values(role);
  return goals.empty() ? 100 : std::max(goals.back(), 1);
}

// Returns whether both roles have a choice in some state of some random games. Checks only as many
// states as there is time for before the first move, depending on the engine.
bool both_decide(const Simulator& simulator) {
  const int max_states = simulator.machine() ? 1'000 : 20;
  constexpr int max_games = 20;
  const auto walker = simulator.walker();
  base::Random random(1);
  walker->go_to(simulator.initial());
  for (int state = 0, game = 0; state < max_states && game < max_games; ++state) {
    Move joint[2];
    if (walker->terminal() || !choose_at_random(*walker, random, joint)) {
      walker->go_to(simulator.initial());
      ++game;
      continue;
    }
    if (walker->legal(0).size() > 1 && walker->legal(1).size() > 1) return true;
    walker->make(joint);
  }
  return false;
}

}  // namespace

base::Result<AlphaBeta> AlphaBeta::make(std::shared_ptr<const Simulator> simulator,
                                        const AlphaBetaOptions& options) {
  const auto refuse = [](const char* message) {
    return base::fail(base::ErrorKind::not_applicable, message);
  };
  if (simulator->roles().size() != 2) return refuse("alpha-beta needs a two-player game");
  if (both_decide(*simulator)) return refuse("alpha-beta needs a turn-taking game");
  return AlphaBeta(std::move(simulator), options);
}

AlphaBeta::AlphaBeta(std::shared_ptr<const Simulator> simulator, const AlphaBetaOptions& options)
    : simulator_(std::move(simulator)),
      walker_(simulator_->walker()),
      bounds_{-max_goal(*simulator_, 1), max_goal(*simulator_, 0)},
      table_size_(std::max<std::size_t>(options.table_bytes / sizeof(Entry), 1)),
      table_(static_cast<Entry*>(std::calloc(table_size_, sizeof(Entry)))) {
  if (!table_) throw std::bad_alloc();
}

AlphaBetaReport AlphaBeta::search(const State& state, const AlphaBetaBudget& budget) {
  deadline_.reset();
  if (budget.seconds) {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*budget.seconds);
  }
  stopped_ = false;
  ++search_;
  const std::uint64_t key = key_of(state);
  if (!roots_.insert(key).second) states_recur_ = true;
  AlphaBetaReport report;
  walker_->go_to(state);
  report.move = walker_->legal(decider()).front();
  for (unsigned depth = 1; depth <= budget.depth && !report.is_exact; ++depth) {
    walker_->go_to(state);
    const Value value = visit_moves(state, key, depth, bounds_);
    if (stopped_) break;
    report.move = value.move;
    report.value = value.value;
    report.depth = depth;
    report.is_exact = value.complete;
  }
  return report;
}

AlphaBeta::Value AlphaBeta::visit(const State& state, unsigned depth, Window window) {
  if (out_of_time()) return {};
  walker_->go_to(state);
  if (walker_->terminal()) return {goal_difference(), true, 0};
  if (depth == 0) return {estimate(), false, 0};
  const std::uint64_t key = key_of(state);
  const Entry& known = entry(key);
  if (is_usable(known, key, depth, window)) return {known.value, known.complete, known.move};
  return visit_moves(state, key, depth, window);
}

// A cutoff by one complete refutation is complete, whatever was tried before. A state in which a
// role has no legal move, which a well-formed game does not have, is worth 0 to both.
AlphaBeta::Value AlphaBeta::visit_moves(const State& state, std::uint64_t key, unsigned depth,
                                        Window window) {
  const std::size_t role = decider();
  const std::vector<Move> moves = ordered_moves(role, key);
  const std::span<const Move> others = walker_->legal(1 - role);
  if (moves.empty() || others.empty()) return {0, true, 0};
  Move joint[2];
  joint[1 - role] = others.front();
  Value best{role == 0 ? -infinite : infinite, true, moves.front()};
  auto [alpha, beta] = window;
  for (const Move move : moves) {
    joint[role] = move;
    walker_->go_to(state);
    walker_->make(joint);
    const Value value = visit(walker_->state(), depth - 1, {alpha, beta});
    if (stopped_) return {};
    best.complete = best.complete && value.complete;
    if (role == 0 ? value.value > best.value : value.value < best.value) {
      best.value = value.value;
      best.move = move;
    }
    if (role == 0) alpha = std::max(alpha, best.value);
    if (role == 1) beta = std::min(beta, best.value);
    if (alpha < beta) continue;
    best.complete = value.complete;
    break;
  }
  store(key, best, depth, window);
  return best;
}

bool AlphaBeta::is_usable(const Entry& known, std::uint64_t key, unsigned depth,
                          Window window) const {
  if (known.key != key || known.search != search_) return false;
  if (!known.complete && known.depth < depth) return false;
  if (known.complete && known.depth > depth && states_recur_) return false;
  return known.bound == Bound::exact ||
         (known.bound == Bound::lower && known.value >= window.beta) ||
         (known.bound == Bound::upper && known.value <= window.alpha);
}

void AlphaBeta::store(std::uint64_t key, const Value& value, unsigned depth, Window window) {
  Entry& slot = entry(key);
  const bool is_same = slot.key == key && slot.search == search_;
  if (is_same && slot.depth > depth && !value.complete) return;
  const Bound bound = value.value <= window.alpha  ? Bound::upper
                      : value.value >= window.beta ? Bound::lower
                                                   : Bound::exact;
  slot = {key,   value.move,    depth, search_, static_cast<std::int16_t>(value.value),
          bound, value.complete};
}

// Returns the role that has a choice, or the first role if none or both have one.
std::size_t AlphaBeta::decider() {
  return walker_->legal(0).size() <= 1 && walker_->legal(1).size() > 1 ? 1 : 0;
}

int AlphaBeta::goal_difference() { return walker_->goal(0) - walker_->goal(1); }

// Estimates a non-terminal state, strictly between loss and win.
int AlphaBeta::estimate() {
  return std::clamp(goal_difference(), bounds_.alpha + 1, bounds_.beta - 1);
}

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

// Fail-soft alpha-beta with iterative deepening, as principal variation search: after the first
// move, the others are searched with an empty window, and again only if they are better. The value
// of a state is the reward of the role that decides at the root less the largest reward of the
// others, in hundredths; that role maximises it and all others minimise it. The initial window is
// the range of values, so a move that reaches a bound, a win, ends the search of its state. At the
// depth limit the evaluator gives an estimate, clamped so that it is never a win: every win is
// proved. A result is complete, that is exact at any depth, if it does not depend on a line cut off
// by the depth limit. A root with a complete result is solved, and the search ends.
//
// Moves are tried in this order: the move of the transposition table, two moves that refuted a
// state at the same distance from the root (killers), then those that were best most often
// (history). Late moves are searched less deeply first, and again if they turn out to be better.
//
// The transposition table maps the hash of a state to a bound and the best move. A new result
// replaces an entry of another state or of an earlier search. It replaces a deeper entry of the
// same state and search only if the new result is complete.
//
// If states can recur, moves that preserve a win may still go in a circle. So only the moves of
// earlier searches are reused, not their values. Once a root occurs a second time, complete results
// count only within the depth that found them, so that every move makes progress towards the win.
#include "search/alpha_beta.h"

#include <algorithm>
#include <cmath>

#include "search/random_move.h"

namespace zermelo::search {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int scale = 100;         // of values, so that estimates can be finer than rewards
constexpr int infinite = 100'000;  // larger than any value
constexpr std::uint64_t nodes_between_clocks = 64;
constexpr std::size_t moves_before_reduction = 4;

std::uint64_t key_of(const State& state) {
  const std::uint64_t h = state.hash();
  return (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
}

// Returns the greatest goal of a role, at least 1, so that there is a value between win and loss.
int max_goal(const Simulator& simulator, std::size_t role) {
  const std::vector<int> goals = simulator.goal_values(role);
  return goals.empty() ? 100 : std::max(goals.back(), 1);
}

std::size_t deciding_roles(const Simulator& simulator, Walker& walker) {
  std::size_t count = 0;
  for (std::size_t role = 0; role < simulator.roles().size(); ++role) {
    if (walker.legal(role).size() > 1) ++count;
  }
  return count;
}

// Returns whether two roles have a choice in some state of some random games. Checks only as many
// states as there is time for before the first move, depending on the engine.
bool several_decide(const Simulator& simulator) {
  const int max_states = simulator.machine() ? 1'000 : 20;
  constexpr int max_games = 20;
  const auto walker = simulator.walker();
  base::Random random(1);
  walker->go_to(simulator.initial());
  std::vector<Move> joint(simulator.roles().size());
  for (int state = 0, game = 0; state < max_states && game < max_games; ++state) {
    if (walker->terminal() || !choose_at_random(*walker, random, joint)) {
      walker->go_to(simulator.initial());
      ++game;
      continue;
    }
    if (deciding_roles(simulator, *walker) > 1) return true;
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
  if (simulator->roles().size() < 2) return refuse("alpha-beta needs at least two players");
  if (several_decide(*simulator)) return refuse("alpha-beta needs a turn-taking game");
  return AlphaBeta(std::move(simulator), options);
}

AlphaBeta::AlphaBeta(std::shared_ptr<const Simulator> simulator, const AlphaBetaOptions& options)
    : simulator_(std::move(simulator)),
      evaluator_(options.evaluator),
      quiescence_(options.quiescence && options.evaluator),
      walker_(simulator_->walker()),
      table_size_(std::max<std::size_t>(options.table_bytes / sizeof(Entry), 1)),
      table_(static_cast<Entry*>(std::calloc(table_size_, sizeof(Entry)))),
      estimates_(simulator_->roles().size()) {
  if (!table_) throw std::bad_alloc();
  for (std::size_t role = 0; role < simulator_->roles().size(); ++role) {
    max_goals_.push_back(max_goal(*simulator_, role));
  }
}

AlphaBetaReport AlphaBeta::search(const State& state, const AlphaBetaBudget& budget) {
  deadline_.reset();
  if (budget.seconds) {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*budget.seconds);
  }
  stop_ = budget.stop;
  stopped_ = false;
  nodes_ = 0;
  ++search_;
  const std::uint64_t key = key_of(state);
  if (!roots_.insert(key).second) states_recur_ = true;
  walker_->go_to(state);
  role_ = decider();
  int others = 0;
  for (std::size_t role = 0; role < max_goals_.size(); ++role) {
    if (role != role_) others = std::max(others, max_goals_[role]);
  }
  bounds_ = {-scale * others, scale * max_goals_[role_]};
  AlphaBetaReport report;
  report.role = role_;
  report.move = walker_->legal(role_).front();
  for (unsigned depth = 1; depth <= budget.depth && !report.is_exact; ++depth) {
    const Value value = visit_moves(key, {depth, 0}, bounds_);
    if (stopped_) break;
    // A loss is delayed: the move of the last search that did not see it stays.
    const bool is_loss = value.complete && value.value == bounds_.alpha;
    if (!is_loss || depth == 1) report.move = value.move;
    report.value = value.value / scale;
    report.depth = depth;
    report.is_exact = value.complete;
    report.nodes = nodes_;
    if (budget.depth_done) budget.depth_done(report);
  }
  report.nodes = nodes_;
  return report;
}

// The walker is at the state.
AlphaBeta::Value AlphaBeta::visit(Remaining remaining, Window window) {
  if (out_of_time()) return {};
  if (walker_->terminal()) return {goal_difference(), true, no_move};
  const State state = walker_->state();
  if (remaining.depth == 0) {
    if (!quiescence_ || remaining.ply == 0) return {estimate(state), false, no_move};
    const int before = ply(remaining.ply - 1).estimate;
    return {quiet_value(state, remaining.ply, before, window), false, no_move};
  }
  const std::uint64_t key = key_of(state);
  const Entry& known = entry(key);
  if (is_usable(known, key, remaining.depth, window)) {
    return {known.value, known.complete, known.move};
  }
  return visit_moves(key, remaining, window);
}

// A cutoff by one complete refutation is complete, whatever was tried before. A state in which a
// role has no legal move, which a well-formed game does not have, is worth 0 to all.
AlphaBeta::Value AlphaBeta::visit_moves(std::uint64_t key, Remaining remaining, Window window) {
  const std::size_t role = decider();
  Ply& here = ply(remaining.ply);
  if (!list_moves(role, key, here)) return {0, true, no_move};
  if (quiescence_) here.estimate = estimate(walker_->state());
  const bool maximises = role == role_;
  Value best{maximises ? -infinite : infinite, true, here.moves.front()};
  auto [alpha, beta] = window;
  for (std::size_t index = 0; index < here.moves.size(); ++index) {
    const Move move = here.moves[index];
    here.joint[role] = move;
    walker_->make(here.joint);
    const Value value = visit_child(index, maximises, remaining, {alpha, beta});
    walker_->unmake();
    if (stopped_) return {};
    best.complete = best.complete && value.complete;
    if (maximises ? value.value > best.value : value.value < best.value) {
      best.value = value.value;
      best.move = move;
    }
    if (maximises) alpha = std::max(alpha, best.value);
    if (!maximises) beta = std::min(beta, best.value);
    if (alpha < beta) continue;
    best.complete = value.complete;
    reward(move, remaining);
    break;
  }
  store(key, best, remaining.depth, window);
  return best;
}

// The first move is searched with the whole window. For others it is first asked whether they are
// better than the best so far, and late ones less deeply.
AlphaBeta::Value AlphaBeta::visit_child(std::size_t index, bool maximises, Remaining remaining,
                                        Window window) {
  const Remaining below{remaining.depth - 1, remaining.ply + 1};
  const bool is_open = window.beta - window.alpha > 1;
  if (index == 0) return visit(below, window);
  const Window test =
      maximises ? Window{window.alpha, window.alpha + 1} : Window{window.beta - 1, window.beta};
  const auto is_better = [&](const Value& value) {
    return maximises ? value.value > window.alpha : value.value < window.beta;
  };
  if (remaining.depth >= 3 && index >= moves_before_reduction) {
    const unsigned reduction = index >= 4 * moves_before_reduction && below.depth >= 4 ? 2 : 1;
    const Value value = visit({below.depth - reduction, below.ply}, test);
    if (stopped_ || !is_better(value)) return value;
  }
  const Value value = visit(below, test);
  if (stopped_ || !is_open || !is_better(value)) return value;
  return visit(below, window);
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

// Returns the role that has a choice, or the first role if none has one.
std::size_t AlphaBeta::decider() {
  for (std::size_t role = 0; role < max_goals_.size(); ++role) {
    if (walker_->legal(role).size() > 1) return role;
  }
  return 0;
}

int AlphaBeta::goal_difference() {
  for (std::size_t role = 0; role < estimates_.size(); ++role) {
    estimates_[role] = static_cast<float>(walker_->goal(role));
  }
  return difference(estimates_);
}

int AlphaBeta::difference(std::span<const float> values) const {
  float others = 0;
  for (std::size_t role = 0; role < values.size(); ++role) {
    if (role != role_) others = std::max(others, values[role]);
  }
  return static_cast<int>(std::lround(scale * (values[role_] - others)));
}

// Estimates a non-terminal state, strictly between loss and win.
int AlphaBeta::estimate(const State& state) {
  int value = 0;
  if (evaluator_) {
    evaluator_->evaluate({&state, 1}, estimates_);
    value = difference(estimates_);
  } else {
    value = goal_difference();
  }
  return std::clamp(value, bounds_.alpha + 1, bounds_.beta - 1);
}

// The estimate of a state, if it is stable: the last move has not changed it by much more than
// moves usually do. Otherwise the next role may choose between the estimate, which stands for all
// its quiet moves, and the moves that change it as much.
int AlphaBeta::quiet_value(const State& state, unsigned ply_number, int before, Window window) {
  constexpr double unstable = 3, learning_rate = 1.0 / 1024;
  constexpr unsigned max_plies = 64;
  const int standing = estimate(state);
  const double change = std::abs(standing - before);
  usual_change_ += (change - usual_change_) * learning_rate;
  const double threshold = unstable * usual_change_;
  const std::size_t role = decider();
  const bool maximises = role == role_;
  Ply& here = ply(ply_number);
  if (change < threshold || ply_number > max_plies || !list_moves(role, 0, here)) return standing;
  int best = standing;
  for (const Move move : here.moves) {
    if (maximises ? best >= window.beta : best <= window.alpha) break;
    here.joint[role] = move;
    walker_->make(here.joint);
    int value = standing;
    if (out_of_time()) {
      walker_->unmake();
      return best;
    }
    if (walker_->terminal()) {
      value = std::clamp(goal_difference(), bounds_.alpha + 1, bounds_.beta - 1);
    } else {
      const State next = walker_->state();
      if (std::abs(estimate(next) - standing) >= threshold) {
        value = quiet_value(next, ply_number + 1, standing, window);
      }
    }
    walker_->unmake();
    best = maximises ? std::max(best, value) : std::min(best, value);
    if (maximises) window.alpha = std::max(window.alpha, best);
    if (!maximises) window.beta = std::min(window.beta, best);
  }
  return best;
}

// Sets the moves of the role, in the order in which to try them, and those of the others. Returns
// false if a role has none.
bool AlphaBeta::list_moves(std::size_t role, std::uint64_t key, Ply& ply) {
  ply.joint.resize(max_goals_.size());
  for (std::size_t other = 0; other < max_goals_.size(); ++other) {
    const std::span<const Move> legal = walker_->legal(other);
    if (legal.empty()) return false;
    ply.joint[other] = legal.front();
    if (other == role) ply.moves.assign(legal.begin(), legal.end());
  }
  const Entry& known = entry(key);
  const auto rank = [&](Move move) -> std::uint64_t {
    if (known.key == key && known.move == move) return ~std::uint64_t{0};
    if (move == ply.killers[0]) return ~std::uint64_t{0} - 1;
    if (move == ply.killers[1]) return ~std::uint64_t{0} - 2;
    return move < history_.size() ? history_[move] : 0;
  };
  std::stable_sort(ply.moves.begin(), ply.moves.end(),
                   [&](Move a, Move b) { return rank(a) > rank(b); });
  return true;
}

// Remembers a move that refuted a state.
void AlphaBeta::reward(Move move, const Remaining& remaining) {
  Ply& here = ply(remaining.ply);
  if (here.killers[0] != move) here.killers[1] = std::exchange(here.killers[0], move);
  if (move >= history_.size()) history_.resize(move + 1);
  history_[move] += remaining.depth * remaining.depth;
}

AlphaBeta::Ply& AlphaBeta::ply(unsigned number) {
  while (plies_.size() <= number) plies_.push_back(std::make_unique<Ply>());
  return *plies_[number];
}

bool AlphaBeta::out_of_time() {
  if (nodes_++ % nodes_between_clocks == 0) {
    stopped_ = stopped_ || stop_.stop_requested() || (deadline_ && Clock::now() >= *deadline_);
  }
  return stopped_;
}

}  // namespace zermelo::search

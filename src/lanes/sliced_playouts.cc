#include "lanes/sliced_playouts.h"

#include <array>
#include <cassert>
#include <exception>
#include <thread>

namespace zermelo::lanes {

namespace {

// The start times of the games of all lanes, as bit-sliced numbers.
class LaneClock {
 public:
  static constexpr std::size_t bits = 20;

  [[gnu::always_inline]] void start(const Lanes& lanes, std::uint64_t now) {
    for (std::size_t i = 0; i < bits; ++i) {
      const Lanes bit = Lanes{} - (now >> i & 1);
      started_[i] = (started_[i] & ~lanes) | (bit & lanes);
    }
  }
  // The sum of the ages of some lanes, each below 1 << bits.
  std::uint64_t total_age(const Lanes& lanes, std::uint64_t now) const {
    std::uint64_t total = 0;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      if (is_set(lanes, lane)) total += (now - started(lane)) % (std::uint64_t{1} << bits);
    }
    return total;
  }

 private:
  static bool is_set(const Lanes& lanes, std::size_t lane) {
    return (lanes[lane / 64] >> (lane % 64) & 1) != 0;
  }
  std::uint64_t started(std::size_t lane) const {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < bits; ++i) result |= std::uint64_t{is_set(started_[i], lane)} << i;
    return result;
  }

  std::array<Lanes, bits> started_{};
};

// In a separate cache line, to avoid false sharing: it is written at every step.
struct alignas(64) GoalTotal {
  std::uint64_t goals = 0;
};

// The games that a goal counts in. A vector of Lanes would not be aligned.
struct alignas(sizeof(Lanes)) Winners {
  Lanes games{};
};

// The parts of a step are inlined into functions that are compiled for each kind of processor.
class SlicedPlayouts {
 public:
  SlicedPlayouts(const SlicedCode& code, const machine::PlayoutOptions& options)
      : code_(code), machine_(code.machine()), options_(options), games_(code, options.seed) {
    assert(options.max_depth > 0 && options.max_depth < std::size_t{1} << (LaneClock::bits - 1));
    if (machine_.goals()) goal_frame_.emplace(machine_.goals()->slots);
    goal_totals_.resize(machine_.game().roles.size());
  }

  machine::PlayoutResult run() {
    const auto start = Clock::now();
    start_first_games();
    for (std::size_t phase = 0; any(playing_) || wants_more(); phase = games_.following(phase)) {
      if (++steps_ % 64 == 0 && is_time_over(start)) enough_ = true;
      step(phase);
    }
    if (any(pending_)) evaluate_pending();
    sign(games_.trace());
    result_.signature = signature();
    result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    average();
    return result_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool is_time_over(Clock::time_point start) const {
    return options_.stop.stop_requested() ||
           (options_.seconds && Clock::now() - start >= *options_.seconds);
  }
  bool wants_more() const { return !enough_ && (!options_.count || started_ < *options_.count); }

  // Reduces the lanes to the number of games that are still to be started, and counts these.
  [[gnu::always_inline]] void claim(Lanes& lanes) {
    if (!wants_more()) lanes = Lanes{};
    const std::uint64_t wanted = options_.count ? *options_.count - started_ : lane_count;
    std::uint64_t taken = population(lanes);
    for (std::size_t word = 0; taken > wanted; word = (word + 1) % lane_words) {
      if (lanes[word] == 0) continue;
      lanes[word] &= lanes[word] - 1;
      --taken;
    }
    started_ += taken;
  }

  void start_first_games() {
    playing_ = all_lanes;
    claim(playing_);
    watched_ = playing_;
    for (std::size_t i = 0; i < machine_.live().size(); ++i) {
      games_.frame()[games_.phase(0).state[i]] = machine_.initial()[i] ? all_lanes : Lanes{};
    }
  }

  void step(std::size_t number) {
    Lanes can_move;
    games_.begin_step(number, can_move);
    end_games(number, can_move);
    if (games_.phase(number).restart) start_new_games(number);
    games_.end_step(number);
  }

  // Ends the games that are over or cannot continue.
  ZERMELO_LANE_CODE void end_games(std::size_t number, const Lanes& can_move) {
    const Lanes ended = playing_ & games_.frame()[games_.phase(number).terminal];
    if (any(ended)) finish(number, ended);
    const Lanes stuck = playing_ & ~ended & ~can_move;
    if (any(stuck)) drop(stuck, steps_ - 1, result_.stuck);
    playing_ &= ~(ended | stuck);
    watched_ &= playing_;
    result_.states += population(playing_);
    if (steps_ % options_.max_depth == 0) drop_endless();
  }

  // In the last phase, free lanes start new games.
  ZERMELO_LANE_CODE void start_new_games(std::size_t number) {
    Lanes restarted = ~playing_;
    claim(restarted);
    games_.frame()[*games_.phase(number).restart] = restarted;
    clock_.start(restarted, steps_);
    playing_ |= restarted;
  }

  [[gnu::always_inline]] void finish(std::size_t number, const Lanes& ended) {
    const SlicedPhase& phase = games_.phase(number);
    const Frame& frame = games_.frame();
    result_.playouts += population(ended);
    sign(ended);
    if (!goal_frame_) {
      score(phase.goals, frame, ended);
      return;
    }
    if (any(pending_ & ended)) evaluate_pending();
    pending_ |= ended;
    const SlicedGoals& goals = *machine_.goals();
    for (std::size_t i = 0; i < goals.fluents.size(); ++i) {
      Lanes& kept = (*goal_frame_)[goals.state[i]];
      kept = (kept & ~ended) | (frame[phase.fluents[goals.fluents[i]]] & ended);
    }
  }

  void evaluate_pending() {
    code_.goals()->run(goal_frame_->data());
    score(machine_.goals()->goals, *goal_frame_, pending_);
    pending_ = Lanes{};
  }

  // The largest goal counts if a role has several.
  [[gnu::always_inline]] void score(const std::vector<Slot>& goals, const Frame& frame,
                                    const Lanes& lanes) {
    const auto& values = machine_.goal_values();
    won_.resize(goals.size());
    Lanes rest = lanes;
    for (std::size_t i = goals.size(); i-- > 0;) {
      if (i + 1 == goals.size() || values[i].role != values[i + 1].role) rest = lanes;
      Lanes& won = won_[i].games;
      won = rest & frame[goals[i]];
      rest &= ~won;
      goal_totals_[values[i].role].goals +=
          population(won) * static_cast<std::uint64_t>(values[i].value);
    }
    for (const Winners& won : won_) sign(won.games);
  }

  // Drops games whose last move was made at step `last`.
  void drop(const Lanes& lanes, std::uint64_t last, std::uint64_t& counter) {
    counter += population(lanes);
    unfinished_states_ += clock_.total_age(lanes, last);
  }

  // Drops the games that were already running at the previous call: they are too long.
  void drop_endless() {
    if (any(watched_)) {
      drop(watched_, steps_, result_.abandoned);
      playing_ &= ~watched_;
    }
    watched_ = playing_;
  }

  // Computes a hash per word.
  [[gnu::always_inline]] void sign(const Lanes& lanes) {
    signs_ ^= lanes;
    signs_ += signs_ << 21;
    signs_ ^= signs_ >> 29;
  }

  std::uint64_t signature() const {
    std::uint64_t result = 0;
    for (std::size_t word = 0; word < lane_words; ++word) {
      result = (result ^ signs_[word]) * 0x9e3779b97f4a7c15u;
      result ^= result >> 29;
    }
    return result;
  }

  void average() {
    assert(unfinished_states_ <= result_.states);
    const double games = result_.playouts == 0 ? 1 : static_cast<double>(result_.playouts);
    result_.mean_depth = static_cast<double>(result_.states - unfinished_states_) / games;
    for (const GoalTotal& total : goal_totals_)
      result_.mean_goals.push_back(static_cast<double>(total.goals) / games);
  }

  const SlicedCode& code_;
  const SlicedMachine& machine_;
  const machine::PlayoutOptions& options_;
  SlicedGames games_;
  std::optional<Frame> goal_frame_;
  Lanes playing_{}, pending_{}, watched_{}, signs_{};
  LaneClock clock_;
  std::uint64_t started_ = 0, steps_ = 0, unfinished_states_ = 0;
  bool enough_ = false;
  std::vector<GoalTotal> goal_totals_;  // by role
  std::vector<Winners> won_;            // by goal: the games it counts in, while scoring
  machine::PlayoutResult result_;
};

}  // namespace

machine::PlayoutResult play_sliced(const SlicedCode& code, const machine::PlayoutOptions& options) {
  return SlicedPlayouts(code, options).run();
}

namespace {

constexpr std::uint64_t odd_multiplier = 0xd1342543de82ef95u;

// Seeds are mixed so that the generators of threads do not overlap.
machine::PlayoutOptions share_of(const machine::PlayoutOptions& options, unsigned thread,
                                 unsigned threads) {
  machine::PlayoutOptions share = options;
  if (thread > 0) share.seed = base::Random(options.seed ^ thread * odd_multiplier).next();
  if (options.count)
    share.count = *options.count / threads + (thread < *options.count % threads ? 1 : 0);
  return share;
}

// Adds the totals and averages the means, weighted by games.
void merge(machine::PlayoutResult& into, const machine::PlayoutResult& part) {
  const double games = std::max(1.0, static_cast<double>(into.playouts + part.playouts));
  const double weight = static_cast<double>(part.playouts) / games;
  const double kept = static_cast<double>(into.playouts) / games;
  into.mean_depth = into.mean_depth * kept + part.mean_depth * weight;
  for (std::size_t role = 0; role < part.mean_goals.size(); ++role) {
    into.mean_goals[role] = into.mean_goals[role] * kept + part.mean_goals[role] * weight;
  }
  into.playouts += part.playouts;
  into.abandoned += part.abandoned;
  into.stuck += part.stuck;
  into.states += part.states;
  into.seconds = std::max(into.seconds, part.seconds);
  into.signature = (into.signature ^ part.signature) * 0x9e3779b97f4a7c15u;
}

}  // namespace

machine::PlayoutResult play_sliced(const SlicedCode& code, const machine::PlayoutOptions& options,
                                   unsigned threads) {
  assert(threads > 0);
  std::vector<machine::PlayoutResult> parts(threads);
  std::vector<std::exception_ptr> problems(threads);
  const auto play = [&](unsigned thread) {
    try {
      parts[thread] = play_sliced(code, share_of(options, thread, threads));
    } catch (...) {
      problems[thread] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(play, thread);
    play(0);
  }
  for (const std::exception_ptr& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
  for (unsigned thread = 1; thread < threads; ++thread) merge(parts[0], parts[thread]);
  return parts[0];
}

}  // namespace zermelo::lanes

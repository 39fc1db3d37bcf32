#include "serve/thinker.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <exception>

#include "base/limited_steps.h"
#include "gdl/read_rules.h"
#include "play/agent.h"
#include "play/auto_choice.h"
#include "search/decomposition/factored_values.h"

namespace zermelo::serve {
namespace {

// Time slices of the search, after which its current decision is published.
constexpr std::chrono::duration<double> first_slice{0.02};
constexpr std::chrono::duration<double> slice{0.1};

Clock::duration as_clock(std::chrono::duration<double> time) {
  return std::chrono::duration_cast<Clock::duration>(time);
}

// Returns the memory that the engines leave for the tree, if memory is limited.
std::size_t tree_bytes(const ThinkerOptions& options) {
  if (!options.memory_bytes) return options.tree_bytes;
  const std::size_t least = options.tree_bytes / 16;
  const std::size_t taken = base::resident_bytes() + least;
  if (taken >= *options.memory_bytes) return least;
  return std::min(options.tree_bytes, least + (*options.memory_bytes - taken));
}

play::AgentSpec spec_of(const ThinkerOptions& options) {
  play::AgentSpec spec;
  spec.kind = play::AgentSpec::Kind::automatic;
  spec.threads = options.threads;
  spec.memory_bytes = tree_bytes(options);
  return spec;
}

}  // namespace

Thinker::Thinker(std::string rules, std::string role, ThinkerOptions options)
    : role_name_(std::move(role)),
      options_(std::move(options)),
      random_(options_.seed),
      thread_([this, text = std::move(rules)]() mutable { run(std::move(text)); }) {}

Thinker::~Thinker() {
  stop_.request_stop();
  const std::lock_guard lock(mutex_);
  better_simulator_.request_stop();
  wake();
}

// Wakes the match thread. Requires the lock.
void Thinker::wake() {
  wakeup_.request_stop();
  changed_.notify_all();
}

void Thinker::run(std::string rules) {
  try {
    rules_ = gdl::read_rules(std::make_shared<const base::Source>("rules", std::move(rules)))
                 .value_or(nullptr);
    if (rules_) {
      grounding_ = std::jthread([this] { ground(); });
      play();
    } else {
      refuse("the rules are not valid GDL");
    }
  } catch (const std::exception& problem) {
    refuse(problem.what());
  }
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

// If memory runs out, only the grounding ends. Freed memory is returned to the system, since the
// limit counts the memory of the process.
void Thinker::ground() {
  try {
    base::Limits limits(options_.preparation, options_.memory_bytes);
    limits.end_when([stop = stop_.get_token()] { return stop.stop_requested(); });
    if (auto simulator = search::make_ground_simulator(rules_, limits)) {
      offer(*simulator);
      if (auto sliced = search::make_sliced_simulator((*simulator)->machine(), limits))
        offer(*sliced);
      if ((*simulator)->roles().size() > 1) {
        offer(search::decomposition::find_factored_values((*simulator)->machine(), limits).values);
      }
    }
  } catch (const std::exception&) {
  }
  ::malloc_trim(0);
  const std::lock_guard lock(mutex_);
  is_grounding_done_ = true;
  wake();
}

void Thinker::offer(Simulator simulator) {
  const std::lock_guard lock(mutex_);
  ground_ = std::move(simulator);
  better_simulator_.request_stop();
  wake();
}

void Thinker::offer(Values values) {
  if (!values) return;
  const std::lock_guard lock(mutex_);
  values_ = std::move(values);
  wake();
}

void Thinker::refuse(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  problem_ = problem;
  wake();
}

// Processes new messages and then thinks until there are more. If memory or threads run out, only
// the current computation ends. The reference engine is then rebuilt, at once if a move could not
// be processed.
void Thinker::play() {
  const std::stop_token stop = stop_.get_token();
  bool is_second_try = false;
  while (!stop.stop_requested() && problem().empty()) {
    const std::stop_token wakeup = reset_wakeup();
    try {
      work_ = {better_simulator_.get_token()};
      switch_simulator();
      while (process_next()) {
      }
      work_ = {wakeup, Clock::now() + as_clock(options_.max_search_time)};
      think();
    } catch (const base::LimitReached& reached) {
      if (reached.kind() == base::ErrorKind::memory_limit) discard_reference();
    } catch (const std::exception&) {
      if (simulator_ && simulator_->machine()) {
        discard_search();
      } else {
        discard_reference();
      }
    }
    std::unique_lock lock(mutex_);
    is_second_try = !observed_.empty() && !is_second_try;
    if (is_second_try) continue;
    changed_.wait(lock, stop, [&] { return wakeup.stop_requested(); });
  }
}

// Returns a token that reports every event from now on.
std::stop_token Thinker::reset_wakeup() {
  const std::lock_guard lock(mutex_);
  wakeup_ = {};
  return wakeup_.get_token();
}

// Switches to the best available engine.
void Thinker::switch_simulator() {
  std::unique_lock lock(mutex_);
  Simulator simulator = ground_;
  const bool is_final = is_grounding_done_;
  lock.unlock();
  if (!simulator && position_) return;
  if (!simulator) {
    auto reference = make_reference();
    if (reference) {
      simulator = std::move(*reference);
    } else {
      ::malloc_trim(0);
      if (is_final || !base::is_limit(reference.error().kind)) refuse(reference.error().message);
      return;
    }
  }
  if (!position_ || simulator_ != simulator) start_on(std::move(simulator));
}

base::Result<Thinker::Simulator> Thinker::make_reference() {
  base::Limits limits(std::nullopt, options_.memory_bytes);
  limits.end_when([this] { return work_.is_over(); });
  return search::make_reference_simulator(rules_, limits);
}

// Replays the match so far on that engine.
void Thinker::start_on(Simulator simulator) {
  const std::vector<std::string>& roles = simulator->roles();
  const auto role = std::find(roles.begin(), roles.end(), role_name_);
  if (role == roles.end()) return refuse("unknown role " + role_name_);
  role_ = static_cast<std::size_t>(role - roles.begin());
  Position position(simulator);
  for (const auto& moves : history_) position.make(moves);
  if (!has_decision_) publish(first_decision(position));
  discard_search();
  if (simulator_ && simulator_->machine() != simulator->machine()) planner_.reset();
  kind_.reset();
  position_ = std::move(position);
  simulator_ = std::move(simulator);
}

void Thinker::discard_reference() {
  discard_search();
  position_.reset();
  simulator_.reset();
  ::malloc_trim(0);
}

// The best line of a planner is kept.
void Thinker::discard_search() {
  sampling_.reset();
  uct_.reset();
  alpha_beta_.reset();
  if (planner_) planner_->release();
}

// Returns false if there is no message or no engine to process it with.
bool Thinker::process_next() {
  if (!position_) return false;
  std::unique_lock lock(mutex_);
  if (observed_.empty()) return false;
  const Observation observation = observed_.front();
  lock.unlock();
  advance(observation);
  lock.lock();
  observed_.pop_front();
  changed_.notify_all();
  return true;
}

// A message without moves brings nothing new. The last moves again are new moves only if they
// contain the move that was answered to them.
bool Thinker::is_repetition(const Observation& observation) const {
  if (observation.moves.empty()) return true;
  if (history_.empty() || history_.back() != observation.moves) return false;
  const std::lock_guard lock(mutex_);
  return observation.may_be_repeated ||
         (!answered_.empty() && observation.moves[role_] != answered_);
}

void Thinker::clear_answer() {
  const std::lock_guard lock(mutex_);
  answered_.clear();
}

void Thinker::advance(const Observation& observation) {
  if (is_repetition(observation)) return;
  clear_answer();
  Position next(*position_);
  if (!next.make(observation.moves)) {
    return options_.log(fmt::format("ignored illegal moves ({}) after {} joint moves",
                                    fmt::join(observation.moves, " "), history_.size()));
  }
  publish(decision_for(next));
  sampling_.reset();
  position_ = std::move(next);
  history_.push_back(observation.moves);
}

Thinker::Decision Thinker::first_decision(Position& position) const {
  if (position.terminal()) return {no_move, true, true};
  const bool everybody_can_move = position.everybody_can_move();
  const std::span<const Move> legal = position.legal(role_);
  if (legal.empty()) return {no_move, true, true};
  return {position.simulator().move_name(legal.front()), legal.size() == 1 || !everybody_can_move,
          !everybody_can_move};
}

// Reuses the tree or the plan, so that earlier results about the state count at once.
Thinker::Decision Thinker::decision_for(Position& position) {
  Decision first = first_decision(position);
  if (planner_ && !position.terminal()) {
    planner_->set_root(position.state());
    return first.is_forced ? first : decision_of_plan().value_or(first);
  }
  if (!uct_ || first.is_forced) return first;
  uct_->set_root(position.state());
  return decision_of_tree(false).value_or(first);
}

void Thinker::publish(Decision decision) {
  has_decision_ = true;
  const std::lock_guard lock(mutex_);
  decision_ = std::move(decision);
  changed_.notify_all();
}

void Thinker::think() {
  if (!position_ || position_->terminal() || !position_->everybody_can_move()) return;
  if (!simulator_->machine()) return sample();
  if (!kind_ && is_engine_final()) choose_kind();
  if (work_.is_over()) return;
  if (const auto ahead = ponder_state()) return search(*ahead, true);
  search(position_->state(), false);
}

bool Thinker::is_engine_final() const {
  const std::lock_guard lock(mutex_);
  return is_grounding_done_;
}

// Uses at most half of the time that the start clock leaves, so that the search has some before the
// first move. Ends when a message arrives.
void Thinker::choose_kind() {
  play::AgentSpec spec = spec_of(options_);
  const std::chrono::duration<double> left = options_.decision - Clock::now();
  spec.preparation = std::max(left / 2, std::chrono::duration<double>(0));
  base::Limits limits(std::nullopt, options_.memory_bytes);
  limits.end_when([this] { return work_.is_over(); });
  play::AutoChoice choice =
      play::choose_automatically(spec, {simulator_, role_, options_.seed}, limits);
  options_.log("plays with " + choice.reason);
  kind_ = std::move(choice.spec);
  uct_.reset();
  if (kind_->kind != play::AgentSpec::Kind::alpha_beta) return;
  search::AlphaBetaOptions options;
  options.evaluator = kind_->prepared_evaluator;
  if (auto made = search::AlphaBeta::make(simulator_, options)) alpha_beta_ = std::move(*made);
}

// Returns the state after the answered move if the other roles have no choice.
std::optional<search::State> Thinker::ponder_state() {
  std::unique_lock lock(mutex_);
  const std::string answered = answered_;
  lock.unlock();
  std::vector<Move> joint;
  for (std::size_t role = 0; role < simulator_->roles().size(); ++role) {
    const auto legal = position_->legal(role);
    const auto move = role == role_       ? position_->find(role, answered)
                      : legal.size() == 1 ? std::optional(legal.front())
                                          : std::nullopt;
    if (!move) return std::nullopt;
    joint.push_back(*move);
  }
  Position next(*position_);
  next.make(std::span<const Move>(joint));
  if (next.terminal() || !next.everybody_can_move()) return std::nullopt;
  return next.state();
}

void Thinker::sample() {
  if (position_->legal(role_).size() == 1) return;
  if (!sampling_) sampling_.emplace(*simulator_, position_->state(), role_, random_);
  while (!work_.is_over()) {
    sampling_->play();
    publish({simulator_->move_name(sampling_->best()), false, false});
  }
}

void Thinker::search(const search::State& state, bool is_pondering) {
  if (simulator_->roles().size() == 1) return plan(state, is_pondering);
  if (kind_ && kind_->prepared_values) return play_perfectly(state);
  if (alpha_beta_ && !has_values() && search_alpha_beta(state, is_pondering)) return;
  make_uct();
  uct_->set_root(state);
  for (auto time = first_slice; !work_.is_over(); time = slice) {
    const bool is_proved = uct_->search({time, {}}, work_.end).exact.has_value();
    if (!is_pondering) publish_if_better(decision_of_tree(is_proved));
    if (is_proved) return;
  }
}

// A new tree, if there is none or exact values were found since it was made.
void Thinker::make_uct() {
  std::unique_lock lock(mutex_);
  Values values = values_;
  lock.unlock();
  if (uct_ && tree_values_ == values) return;
  tree_values_ = values;
  const play::Seat seat{simulator_, role_, options_.seed};
  search::UctOptions options = play::uct_options(kind_.value_or(spec_of(options_)), seat);
  if (kind_) options.evaluator = kind_->prepared_evaluator;
  uct_ = std::make_unique<search::Uct>(simulator_, std::move(options), std::move(values));
}

bool Thinker::has_values() const {
  const std::lock_guard lock(mutex_);
  return values_ != nullptr;
}

// Returns false if several roles decide in the state, so that UCT has to search it.
bool Thinker::search_alpha_beta(const search::State& state, bool is_pondering) {
  bool is_own = true;
  search::AlphaBetaBudget budget;
  budget.seconds = std::max(std::chrono::duration<double>(work_.latest - Clock::now()),
                            std::chrono::duration<double>(0));
  budget.stop = work_.end;
  budget.depth_done = [&](const search::AlphaBetaReport& report) {
    is_own = report.role == role_;
    if (is_pondering || !is_own) return;
    publish({simulator_->move_name(report.move), false, report.is_exact, report.nodes});
  };
  alpha_beta_->search(state, budget);
  return is_own || position_->legal(role_).size() == 1;
}

void Thinker::play_perfectly(const search::State& state) {
  const play::Seat seat{simulator_, role_, options_.seed};
  auto agent = play::make_agent(*kind_, seat);
  if (!agent || position_->state() != state) return;
  publish({simulator_->move_name((*agent)->choose(state, std::nullopt)),
           position_->legal(role_).size() == 1, true});
}

// The best line is never lost: a planner keeps the rest of it when the match moves along it.
void Thinker::plan(const search::State& state, bool is_pondering) {
  if (!planner_) {
    auto made = search::planner::Planner::make(simulator_->machine(), options_.seed);
    if (!made) return refuse(made.error().message);
    planner_ = std::move(*made);
  }
  planner_->set_root(state);
  const std::size_t most = base::resident_bytes() + tree_bytes(options_);
  base::Limits limits(std::nullopt, options_.memory_bytes.value_or(most));
  limits.end_when([this] { return work_.is_over(); });
  for (auto time = first_slice; !work_.is_over(); time = slice) {
    planner_->improve(limits, time);
    if (const auto decision = decision_of_plan(); decision && !is_pondering) publish(*decision);
    if (planner_->is_optimal() || limits.exceeded()) return;
  }
}

std::optional<Thinker::Decision> Thinker::decision_of_plan() const {
  if (!planner_->best()) return std::nullopt;
  return Decision{simulator_->move_name(planner_->best()->moves.front()), false,
                  planner_->is_optimal()};
}

// A new tree on a better engine must first reach as many visits as the old one. A proved decision
// stays.
void Thinker::publish_if_better(const std::optional<Decision>& decision) {
  if (!decision) return;
  std::unique_lock lock(mutex_);
  const bool is_better =
      decision->is_proved || (!decision_.is_proved && decision->visits >= decision_.visits);
  lock.unlock();
  if (is_better) publish(*decision);
}

// Returns the decision at the root, if anything is known about its moves.
std::optional<Thinker::Decision> Thinker::decision_of_tree(bool is_proved) {
  const std::vector<search::MoveReport> moves = uct_->moves(role_);
  std::uint64_t visits = 0;
  bool is_known = false;
  for (const search::MoveReport& move : moves) {
    visits += move.visits;
    is_known = is_known || move.visits > 0 || move.exact;
  }
  if (!is_known) return std::nullopt;
  const Move best = uct_->best_move(role_, {slice / 2, {}});
  return Decision{simulator_->move_name(best), moves.size() == 1, is_proved, visits};
}

void Thinker::wait(Clock::time_point deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline,
                      [this] { return decision_.is_proved || is_over_ || !problem_.empty(); });
}

std::string Thinker::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

bool Thinker::is_grounded() const {
  const std::lock_guard lock(mutex_);
  return ground_ != nullptr;
}

void Thinker::observe(std::vector<std::string> moves, bool may_be_repeated) {
  const std::lock_guard lock(mutex_);
  observed_.push_back({std::move(moves), may_be_repeated});
  wake();
}

std::string Thinker::move(Clock::time_point deadline, Clock::time_point latest,
                          const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline, [this] {
    const bool is_sure = decision_.is_forced || decision_.is_proved || !answered_.empty();
    return is_over_ || (observed_.empty() && is_sure);
  });
  changed_.wait_until(lock, stop, latest, [this] { return is_over_ || observed_.empty(); });
  if (!observed_.empty()) return no_move;
  return answered_.empty() ? decision_.move : answered_;
}

void Thinker::ponder(const std::string& move) {
  const std::lock_guard lock(mutex_);
  answered_ = move;
  wake();
}

}  // namespace zermelo::serve

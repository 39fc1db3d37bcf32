#include "serve/thinker.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <exception>

#include "gdl/read_rules.h"
#include "play/agent.h"
#include "reference/limited_steps.h"

namespace zermelo::serve {
namespace {

// The search is interrupted so often to publish its opinion.
constexpr std::chrono::duration<double> first_slice{0.02};
constexpr std::chrono::duration<double> slice{0.1};

Clock::duration as_clock(std::chrono::duration<double> time) {
  return std::chrono::duration_cast<Clock::duration>(time);
}

// Of what the engines have left of the memory, where it is limited.
std::size_t tree_bytes(const ThinkerOptions& options) {
  if (!options.memory_bytes) return options.tree_bytes;
  const std::size_t least = options.tree_bytes / 16;
  const std::size_t taken = base::resident_bytes() + least;
  if (taken >= *options.memory_bytes) return least;
  return std::min(options.tree_bytes, least + (*options.memory_bytes - taken));
}

search::UctOptions uct_options(const ThinkerOptions& options, const play::Seat& seat) {
  play::AgentSpec spec;
  spec.threads = options.threads;
  spec.memory_bytes = tree_bytes(options);
  return play::uct_options(spec, seat);
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
  tell();
}

// Under the lock: there is something for the thread to take up.
void Thinker::tell() {
  news_.request_stop();
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

// Running out of memory ends the grounding and nothing else. What it took goes back to the system,
// since the limit counts what the process has.
void Thinker::ground() {
  try {
    base::Limits limits(options_.preparation, options_.memory_bytes);
    limits.end_when([stop = stop_.get_token()] { return stop.stop_requested(); });
    if (auto simulator = search::make_ground_simulator(rules_, limits)) {
      offer(*simulator);
      if (auto sliced = search::make_sliced_simulator((*simulator)->machine(), limits))
        offer(*sliced);
    }
  } catch (const std::exception&) {
  }
  ::malloc_trim(0);
  const std::lock_guard lock(mutex_);
  is_ground_over_ = true;
  tell();
}

void Thinker::offer(Simulator simulator) {
  const std::lock_guard lock(mutex_);
  ground_ = std::move(simulator);
  better_simulator_.request_stop();
  tell();
}

void Thinker::refuse(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  problem_ = problem;
  tell();
}

// Takes up what is new and thinks until there is more. Running out of memory, or of threads, ends a
// thought and nothing else; the reference engine is then made anew, at once where a move could not
// be taken up.
void Thinker::play() {
  const std::stop_token stop = stop_.get_token();
  bool is_second_try = false;
  while (!stop.stop_requested() && problem().empty()) {
    const std::stop_token news = renew_news();
    try {
      work_ = {better_simulator_.get_token()};
      take_up_simulator();
      while (take_up_next()) {
      }
      work_ = {news, Clock::now() + as_clock(options_.longest_thought)};
      think();
    } catch (const reference::LimitReached& reached) {
      if (reached.kind() == base::ErrorKind::memory_limit) give_up_reference();
    } catch (const std::exception&) {
      if (simulator_ && simulator_->machine()) {
        forget_thoughts();
      } else {
        give_up_reference();
      }
    }
    std::unique_lock lock(mutex_);
    is_second_try = !told_.empty() && !is_second_try;
    if (is_second_try) continue;
    changed_.wait(lock, stop, [&] { return news.stop_requested(); });
  }
}

// The token tells of all that comes from now on.
std::stop_token Thinker::renew_news() {
  const std::lock_guard lock(mutex_);
  news_ = {};
  return news_.get_token();
}

// Moves over to the best engine there is.
void Thinker::take_up_simulator() {
  std::unique_lock lock(mutex_);
  Simulator simulator = ground_;
  const bool is_last_hope = is_ground_over_;
  lock.unlock();
  if (!simulator && position_) return;
  if (!simulator) {
    auto reference = make_reference();
    if (reference) {
      simulator = std::move(*reference);
    } else {
      ::malloc_trim(0);
      if (is_last_hope || !base::is_limit(reference.error().kind))
        refuse(reference.error().message);
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

// Where the match has come to, on that engine.
void Thinker::start_on(Simulator simulator) {
  const std::vector<std::string>& roles = simulator->roles();
  const auto role = std::find(roles.begin(), roles.end(), role_name_);
  if (role == roles.end()) return refuse("there is no role " + role_name_);
  role_ = static_cast<std::size_t>(role - roles.begin());
  Position position(simulator);
  for (const auto& moves : history_) position.make(moves);
  if (!has_opinion_) publish(first_opinion(position));
  forget_thoughts();
  position_ = std::move(position);
  simulator_ = std::move(simulator);
}

void Thinker::give_up_reference() {
  forget_thoughts();
  position_.reset();
  simulator_.reset();
  ::malloc_trim(0);
}

void Thinker::forget_thoughts() {
  sampling_.reset();
  uct_.reset();
}

// False where there is nothing to take up, or no engine to do it on.
bool Thinker::take_up_next() {
  if (!position_) return false;
  std::unique_lock lock(mutex_);
  if (told_.empty()) return false;
  const Told told = told_.front();
  lock.unlock();
  advance(told);
  lock.lock();
  told_.pop_front();
  changed_.notify_all();
  return true;
}

bool Thinker::is_repetition(const Told& told) const {
  const bool is_last = told.moves.empty() || (!history_.empty() && history_.back() == told.moves);
  return told.may_be_repeated && is_last;
}

void Thinker::forget_answer() {
  const std::lock_guard lock(mutex_);
  answered_.clear();
}

void Thinker::advance(const Told& told) {
  if (is_repetition(told)) return;
  forget_answer();
  if (told.moves.empty()) return;
  Position next(*position_);
  if (!next.make(told.moves)) {
    return options_.log(fmt::format("({}) is not legal after {} moves; ignored",
                                    fmt::join(told.moves, " "), history_.size()));
  }
  publish(opinion_on(next));
  sampling_.reset();
  position_ = std::move(next);
  history_.push_back(told.moves);
}

Thinker::Opinion Thinker::first_opinion(Position& position) const {
  if (position.terminal()) return {no_move, true, true};
  const bool everybody_can_move = position.everybody_can_move();
  const std::span<const Move> legal = position.legal(role_);
  if (legal.empty()) return {no_move, true, true};
  return {position.simulator().move_name(legal.front()), legal.size() == 1 || !everybody_can_move,
          !everybody_can_move};
}

// The tree is kept: what was found out about a state earlier counts at once.
Thinker::Opinion Thinker::opinion_on(Position& position) {
  Opinion first = first_opinion(position);
  if (!uct_ || first.is_forced) return first;
  uct_->set_root(position.state());
  return opinion_of_tree(false).value_or(first);
}

void Thinker::publish(Opinion opinion) {
  has_opinion_ = true;
  const std::lock_guard lock(mutex_);
  opinion_ = std::move(opinion);
  changed_.notify_all();
}

void Thinker::think() {
  if (!position_ || position_->terminal() || !position_->everybody_can_move()) return;
  if (!simulator_->machine()) return sample();
  if (const auto ahead = state_ahead()) return search(*ahead, true);
  search(position_->state(), false);
}

// After the answered move, where the others have no choice.
std::optional<search::State> Thinker::state_ahead() {
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

void Thinker::search(const search::State& state, bool is_ahead) {
  if (!uct_) {
    uct_ = std::make_unique<search::Uct>(simulator_,
                                         uct_options(options_, {simulator_, role_, options_.seed}));
  }
  uct_->set_root(state);
  for (auto time = first_slice; !work_.is_over(); time = slice) {
    const bool is_proved = uct_->search({time, {}}, work_.end).exact.has_value();
    if (!is_ahead) publish_if_better(opinion_of_tree(is_proved));
    if (is_proved) return;
  }
}

// A new tree, on a better engine, has first to see as much as the one before; what is proved stays.
void Thinker::publish_if_better(const std::optional<Opinion>& opinion) {
  if (!opinion) return;
  std::unique_lock lock(mutex_);
  const bool is_better =
      opinion->is_proved || (!opinion_.is_proved && opinion->visits >= opinion_.visits);
  lock.unlock();
  if (is_better) publish(*opinion);
}

// Of the root, if anything is known about its moves.
std::optional<Thinker::Opinion> Thinker::opinion_of_tree(bool is_proved) {
  const std::vector<search::MoveReport> moves = uct_->moves(role_);
  std::uint64_t visits = 0;
  bool is_known = false;
  for (const search::MoveReport& move : moves) {
    visits += move.visits;
    is_known = is_known || move.visits > 0 || move.exact;
  }
  if (!is_known) return std::nullopt;
  const Move best = uct_->best_move(role_, {slice / 2, {}});
  return Opinion{simulator_->move_name(best), moves.size() == 1, is_proved, visits};
}

void Thinker::wait(Clock::time_point deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline,
                      [this] { return opinion_.is_proved || is_over_ || !problem_.empty(); });
}

std::string Thinker::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

bool Thinker::is_grounded() const {
  const std::lock_guard lock(mutex_);
  return ground_ != nullptr;
}

void Thinker::take_up(std::vector<std::string> moves, bool may_be_repeated) {
  const std::lock_guard lock(mutex_);
  told_.push_back({std::move(moves), may_be_repeated});
  tell();
}

std::string Thinker::move(Clock::time_point deadline, Clock::time_point latest,
                          const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline, [this] {
    const bool is_sure = opinion_.is_forced || opinion_.is_proved || !answered_.empty();
    return is_over_ || (told_.empty() && is_sure);
  });
  changed_.wait_until(lock, stop, latest, [this] { return is_over_ || told_.empty(); });
  if (!told_.empty()) return no_move;
  return answered_.empty() ? opinion_.move : answered_;
}

void Thinker::think_ahead(const std::string& move) {
  const std::lock_guard lock(mutex_);
  answered_ = move;
  tell();
}

}  // namespace zermelo::serve

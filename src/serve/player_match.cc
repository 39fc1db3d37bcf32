// The answers are never late. The thread of the match does no game computation: it passes the
// messages to the Thinker, waits for the clock, and answers with the Thinker's current move.
#include "serve/player_match.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <exception>

#include "gdl/read_rules.h"
#include "gdl/validity.h"

namespace zermelo::serve {
namespace {

// The longest time until the second move is due. Grounding may continue after the first moves are
// requested, and a search may take as long.
Seconds preparation_time(const Message& start) {
  return Seconds(start.start_clock) + 2 * Seconds(start.play_clock);
}

}  // namespace

Seconds safety_margin(Seconds clock) { return std::clamp(clock / 5, Seconds(0.05), Seconds(1)); }

PlayerMatch::PlayerMatch(Message start, Clock::time_point arrived, Reply reply,
                         const PlayerOptions& options)
    : id_(start.match_id),
      options_(options),
      start_(std::move(start)),
      rules_hash_(std::hash<std::string>()(start_.rules)),
      started_(arrived),
      last_message_(arrived),
      start_replies_{std::move(reply)},
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

PlayerMatch::~PlayerMatch() = default;

bool PlayerMatch::is_abandoned(Clock::time_point now) const {
  const Seconds clock(has_turn_ ? start_.play_clock : start_.start_clock);
  return now - last_message_.load() > clock + options_.patience;
}

bool PlayerMatch::is_started_by(const Message& start) const {
  return start.match_id == id_ && start.role == start_.role &&
         std::hash<std::string>()(start.rules) == rules_hash_;
}

void PlayerMatch::start_again(Clock::time_point arrived, Reply reply) {
  const std::lock_guard lock(mutex_);
  last_message_ = arrived;
  if (!start_answer_.empty()) return reply(start_answer_);
  start_replies_.push_back(std::move(reply));
}

void PlayerMatch::log(const std::string& text) const {
  options_.log(fmt::format("match {}: {}", id_, text));
}

void PlayerMatch::run(const std::stop_token& stop) {
  std::optional<Turn> turn;  // being processed
  try {
    if (start(stop)) {
      while ((turn = next_turn(stop))) answer(*turn, stop);
    }
  } catch (const std::exception& problem) {
    log(fmt::format("failed: {}", problem.what()));
    turn ? turn->reply(no_move) : answer_start("busy");
  }
  close();
  release_memory();
  has_ended_ = true;
}

// Returns memory to the system, so that one large game does not affect later matches.
void PlayerMatch::release_memory() {
  thinker_.reset();
  hidden_.reset();
  ::malloc_trim(0);
}

void PlayerMatch::close() {
  const std::lock_guard lock(mutex_);
  is_playing_ = false;
  for (const Turn& turn : turns_) turn.reply(no_move);
  turns_.clear();
}

// A manager that already asks for a move does not wait for the end of the start clock.
bool PlayerMatch::start(const std::stop_token& stop) {
  spellings_ = gdl::spellings(start_.rules);
  const std::stop_callback stopped(stop, [this] { start_is_over_.request_stop(); });
  const auto ready_by = answer_time(started_, start_.start_clock);
  if (auto rules = hidden_rules()) {
    hidden_.emplace(std::move(rules), start_.role, thinker_options());
    hidden_->wait(ready_by, start_is_over_.get_token());
  } else {
    thinker_.emplace(std::move(start_.rules), start_.role, thinker_options());
    thinker_->wait(ready_by, start_is_over_.get_token());
  }
  const std::string problem = hidden_ ? hidden_->problem() : thinker_->problem();
  if (!problem.empty()) {
    log(problem);
    is_playing_ = false;
    answer_start("busy");
    return false;
  }
  log(fmt::format("playing {} on the {}", start_.role,
                  hidden_ || thinker_->is_grounded() ? "compiled game" : "reference engine"));
  answer_start("ready");
  return true;
}

// The rules if the game has hidden information or chance, else null. Only rules with one of the
// words of GDL-II are read.
std::shared_ptr<const gdl::Rulesheet> PlayerMatch::hidden_rules() const {
  if (!spellings_.contains("sees") && !spellings_.contains("random")) return nullptr;
  auto rules = gdl::read_rules(std::make_shared<const base::Source>("rules", start_.rules));
  return rules && gdl::uses_imperfect_information(**rules) ? *rules : nullptr;
}

void PlayerMatch::answer_start(const std::string& answer) {
  const std::lock_guard lock(mutex_);
  start_answer_ = answer;
  for (const Reply& reply : start_replies_) reply(answer);
  start_replies_.clear();
}

ThinkerOptions PlayerMatch::thinker_options() const {
  ThinkerOptions options;
  options.threads = options_.threads;
  options.memory_bytes = options_.memory_bytes;
  options.tree_bytes = options_.tree_bytes;
  options.preparation = preparation_time(start_);
  options.max_search_time = preparation_time(start_);
  options.decision = answer_time(started_, start_.start_clock);
  options.seed = options_.seed;
  options.log = [this](const std::string& text) { log(text); };
  return options;
}

Clock::time_point PlayerMatch::answer_time(Clock::time_point arrived, int clock) const {
  Seconds time = Seconds(clock) - safety_margin(Seconds(clock));
  if (options_.max_time) time = std::min(time, *options_.max_time);
  return arrived + std::chrono::duration_cast<Clock::duration>(time);
}

// The time when a move must be answered even if none is known. Half of the margin is for waiting.
// With a clock of 0, uses the time that managers allow for transmission.
Clock::time_point PlayerMatch::latest_time(Clock::time_point arrived) const {
  const Seconds clock(start_.play_clock);
  const Seconds time = std::max(clock - safety_margin(clock) / 2, Seconds(0.1));
  return arrived + std::chrono::duration_cast<Clock::duration>(time);
}

void PlayerMatch::play(Message message, Clock::time_point arrived, Reply reply) {
  const std::lock_guard lock(mutex_);
  last_message_ = arrived;
  if (!is_playing_) return reply(no_move);
  has_turn_ = true;
  start_is_over_.request_stop();
  turns_.push_back({std::move(message), arrived, std::move(reply)});
  arrived_.notify_all();
}

std::optional<PlayerMatch::Turn> PlayerMatch::next_turn(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait(lock, stop, [this] { return !turns_.empty(); })) return std::nullopt;
  Turn turn = std::move(turns_.front());
  turns_.pop_front();
  return turn;
}

// A message that arrived before the last one was answered may be a repetition.
void PlayerMatch::answer(Turn& turn, const std::stop_token& stop) {
  if (hidden_) return turn.reply(gdl::translated(hidden_answer(turn, stop), spellings_));
  thinker_->observe(turn.message.moves, turn.arrived < last_answer_);
  const std::string move =
      thinker_->move(answer_time(turn.arrived, start_.play_clock), latest_time(turn.arrived), stop);
  last_answer_ = Clock::now();  // before the next message can arrive
  turn.reply(gdl::translated(move, spellings_));
  thinker_->ponder(move);
}

// Some managers send what is seen alone, in the place of the moves.
std::string PlayerMatch::hidden_answer(Turn& turn, const std::stop_token& stop) {
  Message& message = turn.message;
  HiddenTurn seen{message.turn, std::move(message.own_move),
                  message.turn ? std::move(message.percepts) : std::move(message.moves)};
  return hidden_->answer(std::move(seen), answer_time(turn.arrived, start_.play_clock),
                         latest_time(turn.arrived), stop);
}

}  // namespace zermelo::serve

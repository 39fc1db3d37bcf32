// Never late. The thread of the match does only what is quick: it follows the moves and waits for
// the clock. While the game is being grounded it follows them on the reference engine, which is
// there at once, and uses the time for random games on it; grounding, and then the search, run in
// the thread of the Thinker, whose latest opinion is taken when the time is over. If there is none,
// yet or because memory ran out, random games decide, or any legal move. After the answer the
// Thinker goes on, on the others' time: about what follows where the others have no choice, else
// about the same state.
#include "serve/player_match.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <exception>

#include "gdl/parser.h"
#include "gdl/validity.h"
#include "serve/sampling.h"

namespace zermelo::serve {
namespace {

// What is answered when there is no legal move: after the end, or before anything is known.
constexpr const char* no_move = "nil";

// The longest time between two messages of a match that goes on: grounding may go on after the
// first moves are asked for, and a thought may take as long.
Seconds longest_silence(const Message& start) {
  return Seconds(start.start_clock) + 2 * Seconds(start.play_clock);
}

}  // namespace

Seconds safety_margin(Seconds clock) { return std::clamp(clock / 5, Seconds(0.05), Seconds(1)); }

PlayerMatch::PlayerMatch(Message start, Clock::time_point arrived, Reply reply,
                         const PlayerOptions& options)
    : id_(start.match_id),
      options_(options),
      start_(std::move(start)),
      start_turn_{{}, arrived, std::move(reply)},
      random_(options.seed),
      last_message_(arrived),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

PlayerMatch::~PlayerMatch() = default;

bool PlayerMatch::is_forgotten(Clock::time_point now) const {
  return now - last_message_.load() > longest_silence(start_) + options_.patience;
}

void PlayerMatch::log(const std::string& text) const {
  options_.log(fmt::format("match {}: {}", id_, text));
}

void PlayerMatch::run(const std::stop_token& stop) {
  std::optional<Turn> turn;  // in work
  try {
    if (start(stop)) {
      while ((turn = next_turn(stop))) answer(*turn, stop);
    }
  } catch (const std::exception& problem) {
    log(fmt::format("given up: {}", problem.what()));
    turn ? turn->reply(no_move) : start_turn_.reply("busy");
  }
  close();
  give_back_memory();
  has_ended_ = true;
}

// Also to the system, so that one large game does not weigh on all later matches.
void PlayerMatch::give_back_memory() {
  thinker_.reset();
  position_.reset();
  ::malloc_trim(0);
}

void PlayerMatch::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  for (const Turn& turn : turns_) turn.reply(no_move);
  turns_.clear();
}

bool PlayerMatch::start(const std::stop_token& stop) {
  const std::string problem = prepare();
  if (!problem.empty()) {
    log(problem);
    has_ended_ = true;
    start_turn_.reply("busy");
    return false;
  }
  const auto deadline = answer_time(start_turn_.arrived, start_.start_clock);
  thinker_->wait_for_engine(deadline, stop);
  adopt_engine();
  if (is_grounded() && !position_->terminal() && position_->everybody_can_move()) {
    thinker_->think_about(position_->state());
    thinker_->opinion(deadline, stop);
  }
  log(fmt::format("playing {}, {}", start_.role,
                  is_grounded() ? "on the grounded game" : "on the rules as they are"));
  start_turn_.reply("ready");
  return true;
}

// Reads the rules and begins to ground them. Returns why the match cannot be played, or nothing.
std::string PlayerMatch::prepare() {
  auto source = std::make_shared<const base::Source>("rules", std::move(start_.rules));
  gdl::ParseResult parsed = gdl::parse(std::move(source));
  if (gdl::has_errors(parsed.diagnostics) ||
      gdl::has_errors(gdl::check_validity(parsed.rulesheet))) {
    return "the rules are not valid GDL";
  }
  const auto rules = std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet));
  auto engine = search::make_reference_engine(rules);
  if (!engine) return engine.error().message;
  const auto& roles = (*engine)->roles();
  const auto role = std::find(roles.begin(), roles.end(), start_.role);
  if (role == roles.end()) return fmt::format("there is no role {}", start_.role);
  role_ = static_cast<std::size_t>(role - roles.begin());
  position_.emplace(std::move(*engine));
  thinker_.emplace(rules, role_,
                   ThinkerOptions{options_.threads, options_.memory_bytes, longest_silence(start_),
                                  longest_silence(start_), options_.seed});
  return "";
}

Clock::time_point PlayerMatch::answer_time(Clock::time_point arrived, int clock) const {
  Seconds time = Seconds(clock) - safety_margin(Seconds(clock));
  if (options_.most_time) time = std::min(time, *options_.most_time);
  return arrived + std::chrono::duration_cast<Clock::duration>(time);
}

void PlayerMatch::play(std::vector<std::string> moves, Clock::time_point arrived, Reply reply) {
  const std::lock_guard lock(mutex_);
  last_message_ = arrived;
  if (is_closed_) return reply(no_move);
  turns_.push_back({std::move(moves), arrived, std::move(reply)});
  arrived_.notify_all();
}

std::optional<PlayerMatch::Turn> PlayerMatch::next_turn(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait(lock, stop, [this] { return !turns_.empty(); })) return std::nullopt;
  Turn turn = std::move(turns_.front());
  turns_.pop_front();
  return turn;
}

void PlayerMatch::answer(const Turn& turn, const std::stop_token& stop) {
  take_up(turn);
  adopt_engine();
  const auto move = choose(answer_time(turn.arrived, start_.play_clock), stop);
  last_answer_ = Clock::now();  // before the next message can come
  turn.reply(move ? position_->engine().move_name(*move) : no_move);
  if (move && is_grounded()) think_ahead(*move);
}

// A message that came before the last one was answered is the same once more, unless it tells other
// moves.
void PlayerMatch::take_up(const Turn& turn) {
  if (turn.moves.empty()) return;
  const bool is_repeated =
      turn.arrived < last_answer_ && !history_.empty() && history_.back() == turn.moves;
  if (is_repeated) return;
  if (position_->make(turn.moves)) {
    history_.push_back(turn.moves);
  } else {
    log(fmt::format("({}) is not legal after {} moves; ignored", fmt::join(turn.moves, " "),
                    history_.size()));
  }
}

// Whether the position is one of the thinker's engine, which may come at any time.
bool PlayerMatch::is_grounded() const { return &position_->engine() == thinker_->engine().get(); }

// Goes on with the grounded game as soon as it is there.
void PlayerMatch::adopt_engine() {
  const auto engine = thinker_->engine();
  if (!engine || is_grounded()) return;
  position_.emplace(engine);
  for (const auto& moves : history_) position_->make(moves);
}

// Nothing where there is no legal move.
std::optional<Move> PlayerMatch::choose(Clock::time_point deadline, const std::stop_token& stop) {
  if (position_->terminal() || position_->legal(role_).empty()) return std::nullopt;
  const bool everybody_can_move = position_->everybody_can_move();
  if (is_grounded() && everybody_can_move) thinker_->think_about(position_->state());
  if (position_->legal(role_).size() == 1 || !everybody_can_move) {
    return position_->legal(role_).front();
  }
  if (is_grounded()) {
    if (const auto opinion = thinker_->opinion(deadline, stop)) return opinion;
  }
  return sample_move(position_->engine(), position_->state(), role_, deadline, stop, random_);
}

void PlayerMatch::think_ahead(Move own) {
  std::vector<Move> joint;
  for (std::size_t role = 0; role < position_->engine().roles().size(); ++role) {
    const auto legal = position_->legal(role);
    if (role != role_ && legal.size() != 1) return;
    joint.push_back(role == role_ ? own : legal.front());
  }
  Position next(*position_);
  next.make(std::span<const Move>(joint));
  if (!next.terminal() && next.everybody_can_move()) thinker_->think_about(next.state());
}

}  // namespace zermelo::serve

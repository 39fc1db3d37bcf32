#include "serve/hidden_thinker.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "ground/ground.h"
#include "play/hidden_match.h"

namespace zermelo::serve {
namespace {

// Of the clock, to think about the others after a forced move was answered. Short, since the next
// question waits for it.
constexpr double share_without_choice = 0.3;

}  // namespace

HiddenThinker::HiddenThinker(std::shared_ptr<const gdl::Rulesheet> rules, std::string role,
                             ThinkerOptions options)
    : rules_(std::move(rules)),
      role_name_(std::move(role)),
      options_(std::move(options)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

HiddenThinker::~HiddenThinker() = default;

void HiddenThinker::wait(Clock::time_point deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline, [this] { return is_ready_ || !problem_.empty(); });
}

std::string HiddenThinker::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void HiddenThinker::refuse(const std::string& problem) {
  options_.log(problem);
  const std::lock_guard lock(mutex_);
  problem_ = problem;
  changed_.notify_all();
}

std::string HiddenThinker::answer(HiddenTurn turn, Clock::time_point deadline,
                                  Clock::time_point latest, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  questions_.push_back({std::move(turn), deadline});
  const std::size_t number = ++asked_;
  if (questions_.size() == 1) move_ = no_move;
  changed_.notify_all();
  changed_.wait_until(lock, stop, latest, [&] { return answered_ >= number || !problem_.empty(); });
  return move_;
}

void HiddenThinker::run(const std::stop_token& stop) {
  try {
    prepare(stop);
    while (auto question = next_question(stop)) process(*question);
  } catch (const std::exception& problem) {
    refuse(problem.what());
  }
}

void HiddenThinker::prepare(const std::stop_token& stop) {
  base::Limits limits(options_.preparation, options_.memory_bytes);
  limits.end_when([stop] { return stop.stop_requested(); });
  auto game = ground::ground(rules_, {limits});
  if (!game) return refuse(game.error().message);
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return refuse(machine.error().message);
  machine_ = std::move(*machine);
  const auto role = std::ranges::find(machine_->roles(), role_name_);
  role_ = static_cast<std::size_t>(role - machine_->roles().begin());
  const auto played = play::played_roles(*machine_);
  if (std::ranges::find(played, role_) == played.end())
    return refuse(fmt::format("nobody plays the role {}", role_name_));
  const ground::Game& rules = machine_->game();
  for (base::Percept p = rules.first_percept_of[role_]; p < rules.first_percept_of[role_ + 1]; ++p)
    percepts_[rules.percept_name(p)] = p;
  base::Limits while_playing({}, options_.memory_bytes);
  while_playing.end_when([stop] { return stop.stop_requested(); });
  play::AgentSpec spec = play::parse_agent("auto").value();
  spec.memory_share = options_.tree_bytes;
  agent_ = play::make_hidden_agent(spec, {machine_, role_, options_.seed, while_playing}).value();
  const std::lock_guard lock(mutex_);
  is_ready_ = true;
  changed_.notify_all();
}

std::optional<HiddenThinker::Question> HiddenThinker::next_question(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const bool is_there =
      changed_.wait(lock, stop, [this] { return !problem_.empty() || !questions_.empty(); });
  if (!is_there || !problem_.empty()) return std::nullopt;
  Question question = std::move(questions_.front());
  questions_.pop_front();
  move_ = no_move;
  return question;
}

void HiddenThinker::publish(const std::string& move, bool is_final) {
  const std::lock_guard lock(mutex_);
  move_ = move;
  if (!is_final) return;
  ++answered_;
  changed_.notify_all();
}

void HiddenThinker::process(const Question& question) {
  const HiddenTurn& turn = question.turn;
  if (turns_ > 0 && turn.number == turns_ - 1) return publish(last_answer_, true);
  if (turn.number && *turn.number != turns_)
    options_.log(fmt::format("turn {} instead of {}", *turn.number, turns_));
  if (turns_ > 0) observe(turn);
  ++turns_;
  const std::vector<play::Move> legal = legal_moves();
  last_answer_ = legal.empty() ? no_move : machine_->move_name(legal.front());
  publish(last_answer_, legal.size() < 2);
  const std::chrono::duration<double> time =
      std::max(question.deadline - Clock::now(), Clock::duration::zero());
  if (legal.size() == 1) agent_->choose(legal, share_without_choice * time);
  if (legal.size() < 2) return;
  last_answer_ = machine_->move_name(agent_->choose(legal, time));
  publish(last_answer_, true);
}

void HiddenThinker::observe(const HiddenTurn& turn) {
  const auto move = own_move(turn.own_move.empty() ? last_answer_ : turn.own_move);
  std::vector<base::Percept> seen;
  bool is_known = move.has_value();
  for (const std::string& name : turn.percepts) {
    const auto found = percepts_.find(name);
    is_known = is_known && found != percepts_.end();
    if (found != percepts_.end()) seen.push_back(found->second);
  }
  if (!is_known) throw std::runtime_error("the manager sent what the rules do not have");
  std::sort(seen.begin(), seen.end());
  agent_->observe(*move, seen);
}

std::optional<play::Move> HiddenThinker::own_move(const std::string& name) const {
  for (const play::Move move : machine_->moves(role_)) {
    if (machine_->move_name(move) == name) return move;
  }
  return std::nullopt;
}

// In a world that is possible and has not ended. In a playable game it is the same in all of them.
std::vector<play::Move> HiddenThinker::legal_moves() const {
  machine::Stepper stepper(machine_);
  for (const know::PossibleWorld& world : agent_->belief()->worlds()) {
    if (!stepper.terminal(world.state)) return stepper.legal_moves(world.state, role_);
  }
  return {};
}

}  // namespace zermelo::serve

#include "play/interactive_game.h"

#include <charconv>
#include <utility>

#include "gdl/term_text.h"
#include "play/scene_of.h"

namespace zermelo::play {
namespace {

// The number from 1 to `max` that the text is.
std::optional<std::size_t> number_in(const std::string& text, std::size_t max) {
  std::size_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last || number < 1 || number > max) return std::nullopt;
  return number;
}

}  // namespace

InteractiveGame::InteractiveGame(std::shared_ptr<const search::Simulator> simulator,
                                 std::size_t person, Agents agents,
                                 std::shared_ptr<const eval::StateValues> values)
    : simulator_(std::move(simulator)),
      person_(person),
      agents_(std::move(agents)),
      values_(std::move(values)),
      walker_(simulator_->walker()) {
  walker_->go_to(simulator_->initial());
  list_moves();
}

analysis::Picture InteractiveGame::picture() {
  if (!scene_) scene_ = scene_of(*simulator_, nullptr);
  return scene_->depict(fluents());
}

std::optional<std::string> InteractiveGame::role_without_move() {
  for (std::size_t role = 0; role < roles().size(); ++role) {
    if (walker_->legal(role).empty()) return roles()[role];
  }
  return std::nullopt;
}

std::vector<int> InteractiveGame::goals() {
  std::vector<int> goals;
  for (std::size_t role = 0; role < roles().size(); ++role) goals.push_back(walker_->goal(role));
  return goals;
}

std::optional<Move> InteractiveGame::find(const std::string& text) {
  const auto terms = gdl::canonical_terms(text);
  const std::string name = terms && terms->size() == 1 ? terms->front() : "";
  if (const auto move = search::find_move(*simulator_, *walker_, person_, name)) return move;
  const auto number = number_in(text, moves_.size());
  return number ? std::optional(moves_[*number - 1]) : std::nullopt;
}

std::optional<eval::Rewards> InteractiveGame::value_after(Move move) {
  if (!values_) return std::nullopt;
  const State here = walker_->state();
  std::vector<Move> joint;
  for (std::size_t role = 0; role < roles().size(); ++role) {
    joint.push_back(role == person_ ? move : walker_->legal(role).front());
  }
  walker_->make(joint);
  auto value = values_->value(walker_->state());
  walker_->go_to(here);
  return value;
}

std::vector<Move> InteractiveGame::make(Move move) {
  const State state = walker_->state();
  if (moves_.size() > 1) decisions_.push_back(steps_.size());
  std::vector<Move> joint;
  for (std::size_t role = 0; role < roles().size(); ++role) {
    joint.push_back(role == person_ ? move : agents_[role]->choose(state, std::nullopt));
  }
  walker_->go_to(state);
  walker_->make(joint);
  steps_.push_back({state, joint});
  list_moves();
  return joint;
}

bool InteractiveGame::undo() {
  if (decisions_.empty()) return false;
  walker_->go_to(steps_[decisions_.back()].state);
  steps_.resize(decisions_.back());
  decisions_.pop_back();
  list_moves();
  return true;
}

MatchRecord InteractiveGame::record(std::vector<std::string> players) {
  MatchRecord record;
  record.roles = roles();
  record.players = std::move(players);
  for (const Step& step : steps_) {
    record.states.push_back(simulator_->fluent_names(step.state));
    record.moves.emplace_back();
    for (const Move move : step.joint) record.moves.back().push_back(move_name(move));
  }
  record.states.push_back(fluents());
  record.errors.assign(record.states.size(), std::vector<std::string>(roles().size()));
  record.scrambled = false;
  record.is_completed = terminal();
  if (record.is_completed) record.goals = goals();
  return record;
}

std::optional<base::Error> InteractiveGame::read_error() const {
  for (const auto& agent : agents_) {
    if (auto error = agent->read_error()) return error;
  }
  return values_ ? values_->read_error() : std::nullopt;
}

void InteractiveGame::ponder() {
  for (std::size_t role = 0; role < agents_.size(); ++role) {
    if (role != person_) agents_[role]->ponder(walker_->state());
  }
}

void InteractiveGame::list_moves() {
  moves_.clear();
  if (walker_->terminal()) return;
  const std::span<const Move> legal = walker_->legal(person_);
  moves_.assign(legal.begin(), legal.end());
}

}  // namespace zermelo::play

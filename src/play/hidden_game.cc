#include "play/hidden_game.h"

#include <algorithm>
#include <charconv>

#include "base/reward.h"
#include "gdl/term_text.h"
#include "play/hidden_match.h"

namespace zermelo::play {

base::Result<HiddenGame> HiddenGame::make(std::shared_ptr<const machine::Machine> machine,
                                          std::size_t person, const AgentSpec& agent,
                                          std::uint64_t seed) {
  std::vector<std::unique_ptr<HiddenAgent>> agents(machine->roles().size());
  for (const std::size_t role : played_roles(*machine)) {
    auto made = make_hidden_agent(agent, {machine, role, seed + role, {}});
    if (!made) return tl::unexpected(made.error());
    agents[role] = std::move(*made);
  }
  return HiddenGame(std::move(machine), person, std::move(agents), seed);
}

HiddenGame::HiddenGame(std::shared_ptr<const machine::Machine> machine, std::size_t person,
                       std::vector<std::unique_ptr<HiddenAgent>> agents, std::uint64_t seed)
    : machine_(std::move(machine)),
      person_(person),
      agents_(std::move(agents)),
      random_(seed),
      stepper_(machine_),
      state_(stepper_.initial_state()) {
  list_moves();
}

void HiddenGame::list_moves() {
  moves_.clear();
  if (!terminal()) moves_ = stepper_.legal_moves(state_, person_);
}

bool HiddenGame::is_stuck() {
  if (terminal()) return false;
  for (std::size_t role = 0; role < agents_.size(); ++role) {
    if (stepper_.legal_moves(state_, role).empty()) return true;
  }
  return false;
}

std::optional<Move> HiddenGame::find(const std::string& text) const {
  const auto terms = gdl::canonical_terms(text);
  for (const Move move : moves_) {
    if (terms && terms->size() == 1 && machine_->move_name(move) == terms->front()) return move;
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || number == 0 || number > moves_.size()) return std::nullopt;
  return moves_[number - 1];
}

std::vector<std::string> HiddenGame::make_move(Move move) {
  std::vector<Move> joint;
  for (std::size_t role = 0; role < agents_.size(); ++role) {
    const std::vector<Move> legal = stepper_.legal_moves(state_, role);
    joint.push_back(role == person_ ? move
                    : agents_[role] != nullptr
                        ? agents_[role]->choose(legal, std::nullopt)
                        : legal[random_.below(static_cast<std::uint32_t>(legal.size()))]);
  }
  std::vector<std::string> seen;
  for (std::size_t role = 0; role < agents_.size(); ++role) {
    if (agents_[role] == nullptr) continue;
    const auto percepts = stepper_.percepts(state_, joint, role);
    agents_[role]->observe(joint[role], percepts);
    if (role != person_) continue;
    for (const base::Percept percept : percepts) seen.push_back(stepper_.percept_name(percept));
  }
  states_.push_back(state_);
  state_ = stepper_.next_state(state_, joint);
  joints_.push_back(std::move(joint));
  list_moves();
  return seen;
}

int HiddenGame::goal() { return base::reward_of(stepper_.goals(state_, person_)); }

MatchRecord HiddenGame::record(const std::string& opponent) {
  MatchRecord record;
  record.roles = machine_->roles();
  for (std::size_t role = 0; role < agents_.size(); ++role)
    record.players.push_back(role == person_            ? "person"
                             : agents_[role] == nullptr ? "random"
                                                        : opponent);
  for (const machine::State& state : states_) record.states.push_back(stepper_.fluent_names(state));
  record.states.push_back(stepper_.fluent_names(state_));
  for (const auto& joint : joints_) {
    record.moves.emplace_back();
    for (const Move move : joint) record.moves.back().push_back(machine_->move_name(move));
  }
  record.errors.assign(record.states.size(), std::vector<std::string>(agents_.size()));
  record.scrambled = false;
  record.is_completed = terminal();
  for (std::size_t role = 0; record.is_completed && role < agents_.size(); ++role)
    record.goals.push_back(base::reward_of(stepper_.goals(state_, role)));
  return record;
}

}  // namespace zermelo::play

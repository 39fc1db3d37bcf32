#include "python/state.h"

#include <algorithm>
#include <utility>

namespace zermelo::python {
namespace {

machine::State initial_state(const ground::Game& game) {
  machine::State state(game.fluents.size());
  for (const ground::Atom fluent : game.initial) state.set(fluent);
  return state;
}

// Longer histories are forgotten; states never go back.
constexpr std::size_t max_history = 1'000;

}  // namespace

State::State(std::shared_ptr<Game> game) : game_(std::move(game)) {
  fluents_ = initial_state(game_->ground());
}

State::State(std::shared_ptr<Game> game, machine::State fluents)
    : game_(std::move(game)), fluents_(std::move(fluents)) {}

State::~State() {
  if (game_->at == this) game_->at = nullptr;
}

Position& State::position() const {
  if (game_->at != this) {
    game_->position().go_to(fluents_);
    game_->at = this;
  }
  return game_->position();
}

std::unique_ptr<State> State::after(std::span<const machine::Move> joint) const {
  Position& here = position();
  if (here.depth() >= max_history) here.forget_history();
  here.make(joint);
  auto next = std::make_unique<State>(game_, here.state());
  game_->at = next.get();
  return next;
}

std::vector<std::vector<std::string>> State::percepts(std::span<const machine::Move> joint) const {
  const ground::Game& game = game_->ground();
  machine::PerceptReader& reader = game_->percept_reader();
  reader.reset(fluents_);
  const base::BitSet seen = reader.read(joint);
  std::vector<std::vector<std::string>> percepts(game_->roles());
  seen.for_each([&](std::size_t percept) {
    const auto number = static_cast<std::uint32_t>(percept);
    percepts[game.percepts[percept].role].push_back(game.percept_name(number));
  });
  return percepts;
}

std::vector<std::string> State::fluent_names() const {
  std::vector<std::string> names;
  fluents_.for_each([&](std::size_t fluent) { names.push_back(game_->fluent_names()[fluent]); });
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace zermelo::python

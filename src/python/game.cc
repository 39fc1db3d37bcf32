#include "python/game.h"

#include <utility>

#include "analysis/exclusive_moves.h"
#include "gdl/term_text.h"
#include "ground/ground.h"
#include "python/errors.h"
#include "solve/common/turn.h"

namespace zermelo::python {

std::shared_ptr<Game> Game::make(app::Rules rules, std::string name, const app::Context& context,
                                 const app::ResourceLimits& limits) {
  auto machine = value_of(app::make_hidden_machine(rules, limits.start(context)));
  return std::shared_ptr<Game>(new Game(std::move(rules), std::move(name), std::move(machine)));
}

namespace {

MoveFacts facts_of(std::shared_ptr<const machine::Machine> machine) {
  MoveFacts facts{std::move(machine), {}, {}};
  facts.acting = solve::moves_with_effect(facts.machine->game());
  facts.ranks.resize(facts.machine->game().moves.size());
  for (std::size_t role = 0; role < facts.machine->roles().size(); ++role) {
    std::uint32_t rank = 0;
    for (const machine::Move move : facts.machine->moves(role)) facts.ranks[move] = rank++;
  }
  return facts;
}

}  // namespace

Game::Game(app::Rules rules, std::string name, std::shared_ptr<const machine::Machine> machine)
    : rules_(std::move(rules)),
      name_(std::move(name)),
      facts_(facts_of(std::move(machine))),
      fluent_names_(ground().fluent_names()),
      position_(facts_) {}

std::vector<std::string> Game::move_names(std::size_t role) const {
  std::vector<std::string> names;
  for (const machine::Move move : machine().moves(role)) names.push_back(machine().move_name(move));
  return names;
}

std::size_t Game::checked_role(std::int64_t role) const {
  if (role >= 0 && static_cast<std::size_t>(role) < roles()) return static_cast<std::size_t>(role);
  refuse("there is no role " + std::to_string(role) + "; the game has " + std::to_string(roles()));
}

machine::Move Game::move_named(std::size_t role, const std::string& text) const {
  const auto names = gdl::canonical_terms(text);
  for (const machine::Move move : machine().moves(role))
    if (names && names->size() == 1 && machine().move_name(move) == names->front()) return move;
  refuse(machine().roles()[role] + " has no move \"" + text + "\"");
}

std::shared_ptr<const lanes::BatchCode> Game::batch_code() {
  const std::lock_guard lock(mutex_);
  if (batch_code_) return batch_code_;
  lanes::BatchOptions options;
  options.acting = facts_.acting;
  for (std::size_t role = 0; role < roles(); ++role) {
    const std::span<const machine::Move> moves = machine().moves(role);
    options.moves.emplace_back(moves.begin(), moves.end());
  }
  return batch_code_ = value_of(lanes::BatchCode::make(*machine().compiled(), options));
}

std::shared_ptr<const lanes::SlicedCode> Game::sliced_code() {
  const std::lock_guard lock(mutex_);
  if (sliced_code_) return sliced_code_;
  lanes::SlicedOptions options;
  options.exclusive_moves = analysis::exclusive_moves(ground());
  return sliced_code_ = value_of(lanes::make_sliced_code(machine().compiled(), options));
}

app::Simulator Game::simulator() {
  const std::lock_guard lock(mutex_);
  if (!simulator_) simulator_ = value_of(search::make_sliced_simulator(facts_.machine, {}));
  return simulator_;
}

const analysis::Scene& Game::scene() {
  const std::lock_guard lock(mutex_);
  if (!scene_) scene_ = analysis::Scene::of(facts_.machine);
  return *scene_;
}

machine::PerceptReader& Game::percept_reader() {
  if (!percept_reader_) percept_reader_.emplace(facts_.machine);
  return *percept_reader_;
}

}  // namespace zermelo::python

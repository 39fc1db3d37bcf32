#include "analysis/scene.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "analysis/scene/model.h"
#include "analysis/scene/recognise.h"
#include "base/random.h"

namespace zermelo::analysis {
namespace {

using scene::Recognition;
using scene::Words;
using States = std::vector<std::vector<std::string>>;

constexpr std::size_t random_games = 8;
constexpr std::size_t states_of_game = 60;
constexpr std::size_t max_sampled_fluents = 400'000;  // of all sampled states together
constexpr auto max_sampling_time = std::chrono::seconds(5);
constexpr auto max_evaluation_time = std::chrono::seconds(5);  // of static relations

// The states of some random games, the initial one first.
States random_states(const std::shared_ptr<const machine::Machine>& machine,
                     const base::Limits& limits) {
  const base::Limits all = limits.within(max_sampling_time);
  machine::Stepper stepper(machine);
  base::Random random(1);
  States states{stepper.fluent_names(stepper.initial_state())};
  std::size_t fluents = states.front().size();
  for (std::size_t game = 0; game < random_games; ++game) {
    machine::State state = stepper.initial_state();
    for (std::size_t step = 0; step < states_of_game && !stepper.terminal(state); ++step) {
      std::vector<machine::Move> joint;
      for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
        const std::vector<machine::Move> legal = stepper.legal_moves(state, role);
        if (legal.empty()) break;
        joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
      }
      if (joint.size() < stepper.roles().size() || all.exceeded()) break;
      state = stepper.next_state(state, joint);
      states.push_back(stepper.fluent_names(state));
      fluents += states.back().size();
      if (fluents > max_sampled_fluents) return states;
    }
  }
  return states;
}

std::shared_ptr<const SceneModel> recognise(Recognition recognition) {
  recognition.claimed.resize(recognition.symbols.size());
  recognise_turns(recognition);
  recognise_stacks(recognition);
  recognise_sequences(recognition);
  recognise_grids(recognition);
  recognise_edges(recognition);
  recognise_axes(recognition);
  recognise_places(recognition);
  recognise_counters(recognition);
  recognise_moves(recognition);
  std::vector<std::set<std::string>> names(recognition.model.boards.size());
  for (const auto& [fluent, placement] : recognition.model.placements) {
    const bool stands = placement.kind == SceneModel::Placement::Kind::token ||
                        placement.kind == SceneModel::Placement::Kind::column;
    if (stands) names[placement.board].insert(placement.text);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string>& of_board = recognition.model.boards[i].names;
    names[i].insert(of_board.begin(), of_board.end());
    of_board.assign(names[i].begin(), names[i].end());
    std::sort(of_board.begin(), of_board.end(), scene::is_before);
  }
  return std::make_shared<const SceneModel>(std::move(recognition.model));
}

std::shared_ptr<const SceneModel> recognise(const gdl::Rulesheet& rulesheet,
                                            const std::vector<std::string>& fluents,
                                            const States& states,
                                            const std::vector<std::string>& roles,
                                            const std::vector<std::string>& moves,
                                            bool has_all_fluents, const base::Limits& limits) {
  Recognition recognition;
  recognition.has_all_fluents = has_all_fluents;
  recognition.symbols = scene::symbols_of(fluents, states);
  recognition.relations = scene::static_relations(rulesheet, limits.within(max_evaluation_time));
  recognition.hints = scene::hints_of(rulesheet);
  recognition.roles.insert(roles.begin(), roles.end());
  for (const std::string& move : std::set<std::string>(moves.begin(), moves.end())) {
    recognition.moves.push_back(scene::term_of(move));
  }
  return recognise(std::move(recognition));
}

}  // namespace

Scene Scene::of(std::shared_ptr<const machine::Machine> machine, const base::Limits& limits) {
  const ground::Game& game = machine->game();
  std::vector<std::string> moves;
  for (std::uint32_t move = 0; move < game.moves.size(); ++move) {
    moves.push_back(game.move_name(move));
  }
  return Scene(recognise(*game.rulesheet, game.fluent_names(), random_states(machine, limits),
                         machine->roles(), moves, true, limits));
}

Scene Scene::of(const gdl::Rulesheet& rulesheet, const Material& material,
                const base::Limits& limits) {
  std::set<std::string> fluents;
  for (const auto& state : material.states) fluents.insert(state.begin(), state.end());
  return Scene(recognise(rulesheet, {fluents.begin(), fluents.end()}, material.states,
                         material.roles, material.moves, false, limits));
}

std::vector<std::string> Scene::cells_of_move(const std::string& move) const {
  const scene::Term term = scene::term_of(move);
  std::vector<std::string> cells;
  const auto form = model_->cells_of_moves.find({term.name, term.arguments.size()});
  if (form == model_->cells_of_moves.end()) return cells;
  for (const SceneModel::NamedCell& named : form->second) {
    const SceneModel::Coordinates& coordinates = model_->coordinates[named.coordinates];
    const auto first = term.arguments.begin() + static_cast<std::ptrdiff_t>(named.first_argument);
    const auto at = coordinates.places.find(
        Words(first, first + static_cast<std::ptrdiff_t>(coordinates.values.size())));
    if (at == coordinates.places.end()) continue;
    cells.push_back(model_->boards[at->second.board].cells[at->second.place].id);
  }
  return cells;
}

}  // namespace zermelo::analysis

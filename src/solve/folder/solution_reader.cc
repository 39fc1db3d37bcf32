#include "solve/folder/solution_reader.h"

#include <algorithm>

#include "base/error_name.h"
#include "ground/ground.h"
#include "machine/perft.h"
#include "solve/common/turn.h"

namespace zermelo::solve {

base::Result<std::vector<machine::State>> fixed_fluents(const Manifest& manifest,
                                                        const ground::Game& game) {
  const auto fluent_of = game.fluents_by_name();
  std::vector<machine::State> fixed;
  for (const StoredLayer& layer : manifest.layers) {
    machine::State& state = fixed.emplace_back(game.fluents.size());
    for (const std::string& name : layer.fixed) {
      const auto found = fluent_of.find(name);
      if (found == fluent_of.end()) {
        return base::fail(base::ErrorKind::unreadable_input,
                          "a layer has a fluent that the rules do not have: " + name);
      }
      state.set(found->second);
    }
  }
  return fixed;
}

SolutionReader::SolutionReader(SolutionFolder folder, Description description, Manifest manifest,
                               std::shared_ptr<const machine::Machine> machine, StateCode code)
    : folder_(std::move(folder)),
      description_(std::move(description)),
      manifest_(std::move(manifest)),
      machine_(std::move(machine)),
      stepper_(machine_),
      code_(std::move(code)) {}

base::Result<SolutionReader> SolutionReader::open(const std::filesystem::path& path,
                                                  const base::Limits& limits) {
  SolutionFolder folder(path);
  auto manifest = folder.manifest();
  if (!manifest) return tl::unexpected(manifest.error());
  auto rules = folder.rules(limits);
  if (!rules) return tl::unexpected(rules.error());
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  auto solution = open(std::move(folder), std::move(*manifest), std::move(*machine));
  if (solution) solution->limits_ = limits;
  return solution;
}

base::Result<SolutionReader> SolutionReader::open(const std::filesystem::path& path,
                                                  std::shared_ptr<const machine::Machine> machine) {
  SolutionFolder folder(path);
  auto manifest = folder.manifest();
  if (!manifest) return tl::unexpected(manifest.error());
  return open(std::move(folder), std::move(*manifest), std::move(machine));
}

base::Result<SolutionReader> SolutionReader::open(SolutionFolder folder, Manifest manifest,
                                                  std::shared_ptr<const machine::Machine> machine) {
  auto description = folder.description();
  if (!description) return tl::unexpected(description.error());
  if (description->solution_concept) {
    return base::fail(base::ErrorKind::not_applicable,
                      "'" + folder.path().string() +
                          "' holds equilibria of a game in which roles decide at the same time; "
                          "only `query` and `verify` read them");
  }
  auto code = StateCode::make(machine->game(), description->variables);
  if (!code) return tl::unexpected(code.error());
  auto fixed = fixed_fluents(manifest, machine->game());
  if (!fixed) return tl::unexpected(fixed.error());
  SolutionReader solution(std::move(folder), std::move(*description), std::move(manifest),
                          std::move(machine), std::move(*code));
  solution.fixed_ = std::move(*fixed);
  return solution;
}

// near, near + 1, near - 1, near + 2, ...
std::vector<std::size_t> SolutionReader::layers_around(std::size_t near) const {
  const std::size_t layers = manifest_.layers.size();
  std::vector<std::size_t> order;
  for (std::size_t step = 0; order.size() < layers; ++step) {
    if (near + step < layers) order.push_back(near + step);
    if (step > 0 && step <= near && near - step < layers) order.push_back(near - step);
  }
  return order;
}

base::Result<dd::NodeId> SolutionReader::constant(Part part, std::size_t layer,
                                                  const std::vector<dd::Value>& assignment) {
  auto file = files_.find({part, layer});
  if (file == files_.end()) {
    auto opened = folder_.open(part, layer, manifest_.layers[layer], code_.domains());
    if (!opened) return tl::unexpected(opened.error());
    file = files_.emplace(std::pair(part, layer), std::move(*opened)).first;
  }
  return file->second.evaluate(assignment);
}

base::Result<StoredValue> SolutionReader::value(const machine::State& state, std::size_t near) {
  const machine::State outside = code_.outside(state);
  std::vector<dd::Value> assignment(code_.domains().size());
  const bool fits = code_.encode(state, assignment);
  for (const std::size_t layer : layers_around(near)) {
    if (!fits || outside != fixed_[layer]) continue;
    const auto found = constant(Part::states, layer, assignment);
    if (!found) return tl::unexpected(found.error());
    if (*found != 0) return read_value(layer, *found, assignment);
  }
  return base::fail(base::ErrorKind::not_applicable, "the state is not reachable");
}

base::Result<StoredValue> SolutionReader::read_value(std::size_t layer, dd::NodeId state,
                                                     const std::vector<dd::Value>& assignment) {
  const auto value = constant(Part::values, layer, assignment);
  if (!value) return tl::unexpected(value.error());
  if (*value == 0 || *value >= description_.value_constants() ||
      state >= description_.state_constants()) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "'" + folder_.file(Part::values, layer).string() +
                          "' has an undefined value: it is damaged or from another folder");
  }
  StoredValue stored;
  stored.layer = layer;
  stored.rewards = description_.outcomes[*value - 1];
  if (!description_.is_terminal(state)) stored.decides = state - description_.mover_constant(0);
  if (!description_.distances) return stored;
  const auto distance = constant(Part::distances, layer, assignment);
  if (!distance) return tl::unexpected(distance.error());
  if (*distance >= 2) stored.distance = *distance - 2;
  return stored;
}

bool SolutionReader::is_consistent(const StoredPosition& position) const {
  const auto is_better = [&](const MoveValue& move) {
    return prefers(description_.model, *position.turn, move.rewards, position.value.rewards);
  };
  const std::vector<MoveValue>& moves = position.moves;
  return std::any_of(moves.begin(), moves.end(),
                     [](const auto& move) { return move.keeps_value; }) &&
         (manifest_.cyclic || std::none_of(moves.begin(), moves.end(), is_better));
}

base::Result<StoredPosition> SolutionReader::position(const machine::State& state,
                                                      std::size_t near) {
  const auto value = this->value(state, near);
  if (!value) return tl::unexpected(value.error());
  StoredPosition position{*value, {}, {}};
  if (!value->decides) return position;
  const auto legal = machine::all_legal_moves(stepper_, state);
  if (std::any_of(legal.begin(), legal.end(), [](const auto& moves) { return moves.empty(); })) {
    return base::fail(base::ErrorKind::not_applicable, "a role has no legal move in the state");
  }
  position.turn = listed_role(stepper_, state, legal);
  for (const machine::Move move : legal[*position.turn]) {
    if (const auto exceeded = limits_.exceeded()) {
      return tl::unexpected(base::limit_error(*exceeded, "while looking up the position"));
    }
    const auto after =
        this->value(state_after(stepper_, state, *position.turn, move), value->layer + 1);
    if (!after) return tl::unexpected(after.error());
    position.moves.push_back(
        {*position.turn, move, after->rewards, after->distance, after->rewards == value->rewards});
  }
  rank_moves(description_.model, position.moves);
  if (!is_consistent(position)) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "'" + folder_.path().string() +
                          "' is damaged: a position does not have the value of its best move; run "
                          "`verify` to find the damaged file");
  }
  return position;
}

base::Result<std::vector<MoveValue>> SolutionReader::line(machine::State state, std::size_t near) {
  std::vector<MoveValue> line;
  while (true) {
    const auto here = position(state, near);
    if (!here) return tl::unexpected(here.error());
    if (here->moves.empty()) return line;
    const bool makes_progress = !manifest_.cyclic || here->value.distance;
    if (here->value.rewards.empty() || !makes_progress) return std::vector<MoveValue>();
    const MoveValue& best = here->moves.front();
    line.push_back(best);
    state = state_after(stepper_, state, best.role, best.move);
    near = here->value.layer + 1;
  }
}

}  // namespace zermelo::solve

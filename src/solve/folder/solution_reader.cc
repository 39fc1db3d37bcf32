#include "solve/folder/solution_reader.h"

#include <algorithm>

#include "base/error_name.h"
#include "machine/perft.h"
#include "solve/common/turn.h"

namespace zermelo::solve {

SolutionReader::SolutionReader(StoredLayers layers, Description description,
                               std::shared_ptr<const machine::Machine> machine)
    : layers_(std::move(layers)),
      description_(std::move(description)),
      machine_(std::move(machine)),
      stepper_(machine_) {}

base::Result<SolutionReader> SolutionReader::open(const std::filesystem::path& path,
                                                  const base::Limits& limits) {
  SolutionFolder folder(path);
  auto manifest = folder.manifest();
  if (!manifest) return tl::unexpected(manifest.error());
  auto machine = compile_rules(folder, limits);
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
                          "only `query`, `verify` and the player `perfect` read them");
  }
  auto layers = StoredLayers::open(std::move(folder), std::move(manifest), description->variables,
                                   machine->game());
  if (!layers) return tl::unexpected(layers.error());
  return SolutionReader(std::move(*layers), std::move(*description), std::move(machine));
}

base::Result<StoredValue> SolutionReader::value(const machine::State& state, std::size_t near) {
  const auto place = layers_.find(state, near);
  if (!place) return tl::unexpected(place.error());
  return read_value(*place);
}

base::Result<StoredValue> SolutionReader::read_value(const StoredLayers::Place& place) {
  const auto value = layers_.constant(Part::values, place.layer, place.assignment);
  if (!value) return tl::unexpected(value.error());
  if (*value == 0 || *value >= description_.value_constants() ||
      place.state >= description_.state_constants()) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "'" + layers_.folder().file(Part::values, place.layer).string() +
                          "' has an undefined value: it is damaged or from another folder");
  }
  StoredValue stored;
  stored.layer = place.layer;
  stored.rewards = description_.outcomes[*value - 1];
  if (!description_.is_terminal(place.state)) {
    stored.decides = place.state - description_.mover_constant(0);
  }
  if (!description_.distances) return stored;
  const auto distance = layers_.constant(Part::distances, place.layer, place.assignment);
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
         (manifest().cyclic || std::none_of(moves.begin(), moves.end(), is_better));
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
                      "'" + layers_.folder().path().string() +
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
    const bool makes_progress = !manifest().cyclic || here->value.distance;
    if (here->value.rewards.empty() || !makes_progress) return std::vector<MoveValue>();
    const MoveValue& best = here->moves.front();
    line.push_back(best);
    state = state_after(stepper_, state, best.role, best.move);
    near = here->value.layer + 1;
  }
}

}  // namespace zermelo::solve

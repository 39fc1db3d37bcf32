#include "solve/folder/equilibrium_reader.h"

#include <algorithm>

#include "base/error_name.h"
#include "machine/perft.h"

namespace zermelo::solve {
namespace {

base::Error damaged_folder(const SolutionFolder& folder, const std::string& what) {
  return {base::ErrorKind::unreadable_input, "'" + folder.path().string() + "' is damaged: " +
                                                 what + "; run `verify` to find the damaged file"};
}

// What a role gets on average by each of its moves. The move of a joint move is replaced; with
// independent strategies this is the same as an expectation over the strategies of the others.
std::vector<double> values_of_moves(const EquilibriumPosition& position,
                                    const std::vector<double>& probabilities,
                                    const std::vector<std::size_t>& moves, std::size_t role) {
  std::size_t stride = 1;
  for (std::size_t before = 0; before < role; ++before) stride *= moves[before];
  std::vector<double> values(moves[role]);
  for (std::size_t joint = 0; joint < probabilities.size(); ++joint) {
    if (probabilities[joint] == 0) continue;
    const std::size_t first = joint - joint / stride % moves[role] * stride;
    for (std::size_t move = 0; move < moves[role]; ++move) {
      const auto& next = position.matrix[first + move * stride];
      values[move] +=
          probabilities[joint] * (next.low[role] + (next.high[role] - next.low[role]) / 2);
    }
  }
  return values;
}

// By joint move, its probability if everybody follows the equilibrium. `moves` is the number of
// legal moves by role.
std::vector<double> joint_probabilities(const Equilibrium& equilibrium,
                                        const std::vector<std::size_t>& moves) {
  std::size_t joint_moves = 1;
  for (const std::size_t count : moves) joint_moves *= count;
  std::vector<double> probabilities(joint_moves, 0.0);
  for (const Choice& choice : equilibrium.joint) probabilities[choice.move] = choice.probability;
  if (!equilibrium.joint.empty()) return probabilities;
  probabilities[0] = 1;
  std::size_t stride = 1;
  for (std::size_t role = 0; role < moves.size(); ++role) {
    for (std::size_t joint = 0; joint < stride; ++joint) {
      const double before = probabilities[joint];
      probabilities[joint] = 0;
      for (const Choice& choice : equilibrium.strategies[role]) {
        probabilities[joint + choice.move * stride] = before * choice.probability;
      }
    }
    stride *= moves[role];
  }
  return probabilities;
}

}  // namespace

bool strategies_fit(const Equilibrium& equilibrium, const std::vector<std::size_t>& moves) {
  std::size_t joint_moves = 1;
  for (const std::size_t count : moves) joint_moves *= count;
  if (!equilibrium.joint.empty()) return equilibrium.joint.back().move < joint_moves;
  if (equilibrium.strategies.size() != moves.size()) return false;
  for (std::size_t role = 0; role < moves.size(); ++role) {
    if (equilibrium.strategies[role].back().move >= moves[role]) return false;
  }
  return true;
}

EquilibriumReader::EquilibriumReader(StoredLayers layers, Description description,
                                     std::shared_ptr<const machine::Machine> machine)
    : layers_(std::move(layers)),
      description_(std::move(description)),
      machine_(std::move(machine)),
      stepper_(machine_) {}

bool EquilibriumReader::is_for(const std::filesystem::path& path) {
  const SolutionFolder folder(path);
  const auto description = folder.description();
  return folder.finished() && description && description->solution_concept;
}

base::Result<EquilibriumReader> EquilibriumReader::open(const std::filesystem::path& path,
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

base::Result<EquilibriumReader> EquilibriumReader::open(
    const std::filesystem::path& path, std::shared_ptr<const machine::Machine> machine) {
  SolutionFolder folder(path);
  auto manifest = folder.manifest();
  if (!manifest) return tl::unexpected(manifest.error());
  return open(std::move(folder), std::move(*manifest), std::move(machine));
}

base::Result<EquilibriumReader> EquilibriumReader::open(
    SolutionFolder folder, Manifest manifest, std::shared_ptr<const machine::Machine> machine) {
  auto description = folder.description();
  if (!description) return tl::unexpected(description.error());
  if (machine->roles() != description->roles) {
    return tl::unexpected(damaged_folder(folder, "the roles differ from those of the rules"));
  }
  auto layers = StoredLayers::open(std::move(folder), std::move(manifest), description->variables,
                                   machine->game());
  if (!layers) return tl::unexpected(layers.error());
  return EquilibriumReader(std::move(*layers), std::move(*description), std::move(machine));
}

base::Result<StoredEquilibrium> EquilibriumReader::read(const StoredLayers::Place& place) {
  auto known = equilibria_.find(place.layer);
  if (known == equilibria_.end()) {
    auto equilibria = layers_.folder().equilibria(place.layer, manifest().layers[place.layer],
                                                  description_.roles.size());
    if (!equilibria) return tl::unexpected(equilibria.error());
    known = equilibria_.emplace(place.layer, std::move(*equilibria)).first;
  }
  const auto number = layers_.constant(Part::values, place.layer, place.assignment);
  if (!number) return tl::unexpected(number.error());
  if (*number == 0 || *number > known->second.size()) {
    return tl::unexpected(damaged_folder(layers_.folder(), "a state has no equilibrium"));
  }
  return StoredEquilibrium{place.layer, description_.is_terminal(place.state),
                           known->second[*number - 1]};
}

base::Result<StoredEquilibrium> EquilibriumReader::equilibrium(const machine::State& state,
                                                               std::size_t near) {
  const auto place = layers_.find(state, near);
  if (!place) return tl::unexpected(place.error());
  return read(*place);
}

base::Result<EquilibriumPosition> EquilibriumReader::position(const machine::State& state,
                                                              std::size_t near) {
  auto here = equilibrium(state, near);
  if (!here) return tl::unexpected(here.error());
  EquilibriumPosition position{std::move(*here), {}, {}};
  if (position.here.terminal) return position;
  position.legal = machine::all_legal_moves(stepper_, state);
  std::optional<base::Error> error;
  machine::for_each_joint_move(position.legal, [&](std::span<const machine::Move> joint) {
    auto next = equilibrium(stepper_.next_state(state, joint), position.here.layer + 1);
    if (const auto exceeded = limits_.exceeded()) {
      error = base::limit_error(*exceeded, "while looking up the position");
    } else if (!next) {
      error = next.error();
    } else {
      position.matrix.push_back({{joint.begin(), joint.end()},
                                 std::move(next->equilibrium.low),
                                 std::move(next->equilibrium.high)});
    }
    return !error;
  });
  if (error) return tl::unexpected(std::move(*error));
  std::vector<std::size_t> moves;
  for (const auto& of_role : position.legal) moves.push_back(of_role.size());
  if (position.matrix.empty() || !strategies_fit(position.here.equilibrium, moves)) {
    return tl::unexpected(
        damaged_folder(layers_.folder(), "a strategy has a move that is not legal"));
  }
  add_move_values(position);
  return position;
}

void add_move_values(EquilibriumPosition& position) {
  std::vector<std::size_t> moves;
  for (const auto& of_role : position.legal) moves.push_back(of_role.size());
  position.probabilities = joint_probabilities(position.here.equilibrium, moves);
  for (std::size_t role = 0; role < moves.size(); ++role) {
    position.move_values.push_back(values_of_moves(position, position.probabilities, moves, role));
  }
}

}  // namespace zermelo::solve

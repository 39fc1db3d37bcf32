// A solution folder with equilibria, opened for queries: what SolutionReader is for games in which
// the roles take turns.
//
//   auto solution = EquilibriumReader::open("scissors_solution");
//   auto position = solution->position(state, 0);
//   position->here.equilibrium.value(role);
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "solve/folder/stored_layers.h"

namespace zermelo::solve {

struct StoredEquilibrium {
  std::size_t layer = 0;  // where the state was found
  bool terminal = false;
  Equilibrium equilibrium;
};

struct EquilibriumPosition {
  struct JointMove {
    std::vector<machine::Move> moves;  // by role
    std::vector<double> low, high;     // by role, bounds on the value of the next state
  };

  StoredEquilibrium here;
  std::vector<std::vector<machine::Move>> legal;  // by role, sorted by name; empty if terminal
  // All joint moves. The move of the first role varies fastest.
  std::vector<JointMove> matrix;
  // By role and legal move: what the role gets on average if it makes this move and the others keep
  // to their strategies.
  std::vector<std::vector<double>> move_values = {};
  // By joint move, its probability if everybody follows the equilibrium.
  std::vector<double> probabilities = {};
};

// Whether the strategies are over the legal moves. `moves` is their number by role.
bool strategies_fit(const Equilibrium& equilibrium, const std::vector<std::size_t>& moves);

// Fills in the values of moves and the probabilities from the rest. Requires that the strategies
// are over the legal moves.
void add_move_values(EquilibriumPosition& position);

class EquilibriumReader {
 public:
  // Whether the folder holds a finished solution with equilibria.
  static bool is_for(const std::filesystem::path& folder);
  // Reads, grounds and compiles the rules of the folder. Fails at a limit, and so does a position
  // that is looked up later.
  static base::Result<EquilibriumReader> open(const std::filesystem::path& folder,
                                              const base::Limits& limits = {});
  // Requires that `machine` was compiled from the rules of the folder.
  static base::Result<EquilibriumReader> open(const std::filesystem::path& folder,
                                              std::shared_ptr<const machine::Machine> machine);

  const Description& description() const { return description_; }
  const Manifest& manifest() const { return layers_.manifest(); }
  std::shared_ptr<const machine::Machine> machine() const { return machine_; }

  // Searches the layer `near` first. Fails with not_applicable for a state that is not in the
  // solution, and with unreadable_input if a file is damaged.
  base::Result<StoredEquilibrium> equilibrium(const machine::State& state, std::size_t near);
  base::Result<EquilibriumPosition> position(const machine::State& state, std::size_t near);

 private:
  using Part = SolutionFolder::Part;

  EquilibriumReader(StoredLayers layers, Description description,
                    std::shared_ptr<const machine::Machine> machine);
  static base::Result<EquilibriumReader> open(SolutionFolder folder, Manifest manifest,
                                              std::shared_ptr<const machine::Machine> machine);
  base::Result<StoredEquilibrium> read(const StoredLayers::Place& place);

  StoredLayers layers_;
  Description description_;
  base::Limits limits_;
  std::shared_ptr<const machine::Machine> machine_;
  machine::Stepper stepper_;
  std::map<std::size_t, std::vector<Equilibrium>> equilibria_;  // by layer, those read so far
};

}  // namespace zermelo::solve

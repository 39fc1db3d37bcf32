// The diagrams of a solution folder, opened for looking up states. What SolutionReader and
// EquilibriumReader have in common.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "dd/file.h"
#include "machine/machine.h"
#include "solve/folder/solution_folder.h"
#include "solve/folder/state_code.h"

namespace zermelo::solve {

// Reads, grounds and compiles the rules of a folder. Fails at a limit.
base::Result<std::shared_ptr<const machine::Machine>> compile_rules(const SolutionFolder& folder,
                                                                    const base::Limits& limits);

// By layer, the fluents without a variable that hold in it. Fails for a fluent that does not exist.
base::Result<std::vector<machine::State>> fixed_fluents(const Manifest& manifest,
                                                        const ground::Game& game);

class StoredLayers {
 public:
  using Part = SolutionFolder::Part;

  // Fails with unreadable_input if the folder has fluents that the game does not have.
  static base::Result<StoredLayers> open(SolutionFolder folder, Manifest manifest,
                                         const Variables& variables, const ground::Game& game);

  const SolutionFolder& folder() const { return folder_; }
  const Manifest& manifest() const { return manifest_; }

  // Where a state was found, with its constant in the diagram of the states.
  struct Place {
    std::size_t layer = 0;
    dd::NodeId state = 0;
    std::vector<dd::Value> assignment;
  };
  // Searches the layer `near` first, then the others by distance from it. Fails with not_applicable
  // for a state that is not in the folder, and with unreadable_input if a file is damaged.
  base::Result<Place> find(const machine::State& state, std::size_t near);
  // Returns the constant of an assignment. A file is opened at its first use.
  base::Result<dd::NodeId> constant(Part part, std::size_t layer,
                                    const std::vector<dd::Value>& assignment);

 private:
  StoredLayers(SolutionFolder folder, Manifest manifest, StateCode code,
               std::vector<machine::State> fixed);
  std::vector<std::size_t> layers_around(std::size_t near) const;

  SolutionFolder folder_;
  Manifest manifest_;
  StateCode code_;
  std::vector<machine::State> fixed_;  // by layer
  std::map<std::pair<Part, std::size_t>, dd::DiagramFile> files_;
};

}  // namespace zermelo::solve

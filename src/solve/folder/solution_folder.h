// A solution on disk: a folder that can be written, interrupted, resumed, queried and checked.
//
// It contains the rules, a description of the layer files, for every layer a diagram of its states,
// one of their values and, if requested, one of their distances, and a manifest that is written
// last. Both engines store diagrams: a table of states would be simpler for the explicit one, but
// only diagrams can hold billions of states, and one format needs only one reader.
// docs/reference/formats.md specifies the bytes. A folder depends only on the game and the options:
// it contains no time, no path and no trace of interruptions.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "dd/diagram.h"
#include "dd/file.h"
#include "dd/folder_files.h"
#include "dd/options.h"
#include "gdl/rulesheet.h"
#include "solve/common/algorithm.h"
#include "solve/common/equilibrium.h"
#include "solve/common/opponent_model.h"
#include "solve/folder/state_code.h"
#include "symbolic/layers.h"

namespace zermelo::solve {

// Above this number of states, distances are only stored on request.
inline constexpr std::uint64_t distances_up_to = 10'000'000;

// plies: the successors of a layer are in the next one, and a state may be in several layers.
// distances: every state is in one layer, by the minimum number of moves that lead to it.
enum class LayerKind { plies, distances };

// The constants of the diagrams, with n roles. States: 0 outside the layer; 1 + r if role r
// decides; n + 1 + o if terminal with outcome o. Values: 1 + o. Distances: 1 if there is none,
// d + 2 for d moves. Values and distances are defined only for the states of the layer.
//
// If several roles decide at once in some state, the description has a solution concept. Then the
// constant of every state that is not terminal is 1, and values are numbers, from 1, of the
// equilibria in the layer's file of equilibria (equilibrium_file.h).
struct Description {
  std::vector<std::string> roles;
  OpponentModel model = OpponentModel::own;
  Engine engine = Engine::automatic;           // never automatic in a stored description
  Algorithm algorithm = Algorithm::automatic;  // the same
  std::optional<SolutionConcept> solution_concept = {};
  LayerKind layers = LayerKind::plies;
  bool distances = false;
  std::vector<Rewards> outcomes;  // empty rewards: play never ends
  Variables variables;

  bool operator==(const Description&) const = default;
  dd::NodeId mover_constant(std::size_t role) const { return static_cast<dd::NodeId>(1 + role); }
  dd::NodeId terminal_constant(std::size_t outcome) const {
    return static_cast<dd::NodeId>(roles.size() + 1 + outcome);
  }
  static dd::NodeId value_constant(std::size_t outcome) {
    return static_cast<dd::NodeId>(1 + outcome);
  }
  dd::NodeId state_constants() const { return terminal_constant(outcomes.size()); }
  dd::NodeId value_constants() const { return value_constant(outcomes.size()); }
  bool is_terminal(dd::NodeId state) const { return state >= terminal_constant(0); }
};

// Counts of those states of a layer that are in no earlier layer.
struct NewStates {
  std::string states, terminal;       // in decimal digits
  std::vector<std::string> by_value;  // by outcome

  bool operator==(const NewStates&) const = default;
};

struct StoredLayer {
  std::string states;    // the number of states, in decimal digits
  std::string terminal;  // the number of terminal states
  // By outcome, the number of states with this value; empty in a solution with equilibria.
  std::vector<std::string> by_value;
  std::uint64_t nodes = 0;         // of the diagram of values
  std::vector<std::string> fixed;  // fluents without a variable that hold in all states, sorted
  std::uint64_t states_checksum = 0, values_checksum = 0;  // 0: not known yet
  std::optional<std::uint64_t> distances_checksum;
  std::optional<std::uint64_t> equilibria_checksum;
  // By Part that is a diagram, the checksum of the file's directory; 0: there is no file, or it is
  // not finished.
  std::array<std::uint64_t, 3> directory_checksums = {};
  std::optional<NewStates> new_states;  // nullopt: no state of the layer is in an earlier one
};

// Returns a layer with the number of its states and terminal states.
base::Result<StoredLayer> count_states(const Description& description, const dd::Diagram& states,
                                       const dd::Options& options);

// A checksum of the parts of the description that define the meaning of a diagram of states, stored
// when only the first `outcomes` outcomes were known. Later outcomes and the choice of distances do
// not change it.
std::uint64_t meaning_of_states(Description description, std::size_t outcomes);

// The layers solved so far. They are solved from the last to the first.
struct Progress {
  std::size_t first = 0;            // the number of the first one
  std::vector<StoredLayer> layers;  // with their values
};

struct Manifest {
  bool cyclic = false;  // whether states can repeat
  std::vector<StoredLayer> layers;
};

class SolutionFolder {
 public:
  // All are diagrams except for the equilibria.
  enum class Part { states, values, distances, equilibria };

  explicit SolutionFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(Part part, std::size_t layer) const;

  // Creates the folder if it is missing, and locks it as long as this object exists. Returns the
  // description of the solution that was started in it. Fails with not_applicable for a folder of
  // another game or with other files, and for one that another run writes to.
  base::Result<std::optional<Description>> claim(const gdl::Rulesheet& rules) const;
  // Claims the folder and writes rules and description. A folder that was started with this
  // description is left as it is; one with another description fails with not_applicable. Layers
  // that `count` stored are kept for the layered algorithm; for others it fails with
  // not_applicable.
  base::Result<void> begin(const gdl::Rulesheet& rules, const Description& description) const;
  // Removes the started solution, but not what `count` stored. Requires that the folder is claimed.
  void clear() const;
  // Whether the folder has layers from which solve_layered can continue.
  bool holds_counted_layers() const;
  // Null unless the folder is claimed.
  std::shared_ptr<const dd::FolderLock> lock() const { return lock_; }
  bool finished() const;
  // Replaces the description.
  base::Result<void> describe(const Description& description) const;
  // How symbolic::find_layers stores the layers of states here. Requires that the folder is
  // claimed.
  symbolic::LayerFiles layer_files() const;
  // Stores which layers are solved so far. Removed when the solution is finished.
  base::Result<void> note(const Description& description, const Progress& progress) const;
  // Returns nullopt if the stored progress is missing, damaged, or of another description. The
  // choice of distances does not matter.
  std::optional<Progress> progress(const Description& description) const;
  // The last step. Computes the checksums that are not known yet. Fails at a limit.
  base::Result<void> finish(Manifest manifest, const base::Limits& limits = {}) const;

  base::Result<void> save(Part part, std::size_t layer, const dd::Diagram& diagram) const;
  base::Result<void> save_equilibria(std::size_t layer,
                                     const std::vector<Equilibrium>& equilibria) const;
  // Fails with unreadable_input if the file is not the one that the manifest describes.
  base::Result<std::vector<Equilibrium>> equilibria(std::size_t layer, const StoredLayer& stored,
                                                    std::size_t roles) const;
  base::Result<std::uint64_t> checksum(Part part, std::size_t layer) const;
  // Opens a file of a finished solution, whose variables have these domains. Fails if it is not the
  // file that the manifest describes.
  base::Result<dd::DiagramFile> open(Part part, std::size_t layer, const StoredLayer& stored,
                                     const dd::Domains& domains) const;

  // These fail with unreadable_input if something is missing or damaged.
  base::Result<std::shared_ptr<const gdl::Rulesheet>> rules(const base::Limits& limits = {}) const;
  base::Result<Description> description() const;
  base::Result<Manifest> manifest() const;

 private:
  base::Result<void> take_lock() const;
  // Fails if the folder has other rules.
  base::Result<void> check_rules(const gdl::Rulesheet& rules) const;
  // Flushes a file to the disk. Layers are flushed after all are written: a file that was damaged
  // by a power failure before is detected by its checksum.
  base::Result<void> secure(Part part, std::size_t layer, std::uint64_t& checksum) const;
  base::Result<void> secure(std::size_t layer, const Description& description,
                            StoredLayer& stored) const;
  base::Result<void> note_directories(std::size_t layer, StoredLayer& stored) const;
  void remove_notes() const;
  void remove_layers_beside(const Manifest& manifest) const;
  std::optional<std::filesystem::path> lost_file(const Manifest& manifest) const;

  std::filesystem::path path_;
  mutable std::shared_ptr<const dd::FolderLock> lock_;  // if claimed
};

}  // namespace zermelo::solve

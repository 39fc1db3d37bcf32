// A solution on disk: a folder that can be written, interrupted, resumed, queried and checked.
//
// It holds the rules, a description of what the layer files mean, for every layer a diagram of its
// states, one of their values and, if wanted, one of their distances, and a manifest that is
// written last. Both engines store diagrams: a table of states would be simpler for the explicit
// one, but only diagrams hold billions of states, and one kind of file needs one reader.
// docs/reference/formats.md has the bytes. A folder depends on the game and the options alone:
// there is no time, no path and no trace of interruptions in it.
#pragma once

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
#include "dd/options.h"
#include "dd/stored_folder.h"
#include "gdl/rulesheet.h"
#include "solve/common/algorithm.h"
#include "solve/common/opponent_model.h"
#include "solve/folder/state_code.h"
#include "symbolic/layers.h"

namespace zermelo::solve {

// Beyond so many states distances are stored on request only.
inline constexpr std::uint64_t distances_up_to = 10'000'000;

// plies: the successors of a layer are in the next one, and a state may be in several layers.
// distances: every state is in one layer, the one after as many moves as it takes to get there.
enum class LayerKind { plies, distances };

// The constants of the diagrams, with n roles. States: 0 outside the layer; 1 + r where role r
// decides; n + 1 + o terminal, with outcome o. Values: 1 + o. Distances: 1 where there is none,
// d + 2 for d moves. Values and distances mean something in the states of the layer only.
struct Description {
  std::vector<std::string> roles;
  OpponentModel model = OpponentModel::own;
  Engine engine = Engine::automatic;           // never automatic in a stored description
  Algorithm algorithm = Algorithm::automatic;  // the same
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
  std::string states;                 // how many, in decimal digits
  std::string terminal;               // how many of them are terminal
  std::vector<std::string> by_value;  // by outcome, how many have the value
  std::uint64_t nodes = 0;            // of the diagram of values
  std::vector<std::string> fixed;     // fluents of no variable that hold in all states, sorted
  std::uint64_t states_checksum = 0, values_checksum = 0;  // 0: not known yet
  std::optional<std::uint64_t> distances_checksum;
  std::optional<NewStates> new_states;  // nothing: no state of the layer is in an earlier one
};

// A layer with the numbers of its states.
base::Result<StoredLayer> count_states(const Description& description, const dd::Diagram& states,
                                       const dd::Options& options);

// A checksum of everything in the description on which the meaning of a diagram of states depends
// that was stored when only the first `outcomes` outcomes were known. Later outcomes and the choice
// of distances do not change it.
std::uint64_t meaning_of_states(Description description, std::size_t outcomes);

// The layers that were solved so far. They are solved from the last to the first.
struct Progress {
  std::size_t first = 0;            // the number of the first of them
  std::vector<StoredLayer> layers;  // with their values
};

struct Manifest {
  bool cyclic = false;  // whether a state can occur again
  std::vector<StoredLayer> layers;
};

class SolutionFolder {
 public:
  enum class Part { states, values, distances };

  explicit SolutionFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(Part part, std::size_t layer) const;

  // Makes the folder if need be and keeps others from writing to it as long as this lives. Returns
  // what was begun in it. A folder of another game or of other files fails with not_applicable, and
  // so does one that another run writes to.
  base::Result<std::optional<Description>> claim(const gdl::Rulesheet& rules) const;
  // Claims the folder and writes rules and description. One that was begun with this description is
  // taken as it is; one with another fails with not_applicable.
  // Layers that `count` stored are kept for the layered algorithm; others fail with not_applicable.
  base::Result<void> begin(const gdl::Rulesheet& rules, const Description& description) const;
  // Removes all that was begun, but not what `count` stored. Requires that the folder is claimed.
  void clear() const;
  // Whether the folder has layers from which solve_layered can continue.
  bool holds_counted_layers() const;
  // Nothing unless the folder is claimed.
  std::shared_ptr<const dd::FolderLock> lock() const { return lock_; }
  bool finished() const;
  // Replaces the description.
  base::Result<void> describe(const Description& description) const;
  // How symbolic::find_layers stores the layers of states here. Requires that the folder is
  // claimed.
  symbolic::LayerFiles layer_files() const;
  // Stores which layers are solved, until the solution is finished.
  base::Result<void> note(const Description& description, const Progress& progress) const;
  // Nothing if that is missing, damaged, or of another description. The choice of distances does
  // not make another description.
  std::optional<Progress> progress(const Description& description) const;
  // The last step. Fills in the checksums that are not known, which ends at a limit.
  base::Result<void> finish(Manifest manifest, const base::Limits& limits = {}) const;

  base::Result<void> save(Part part, std::size_t layer, const dd::Diagram& diagram) const;
  base::Result<std::uint64_t> checksum(Part part, std::size_t layer) const;

  // These fail with unreadable_input where something is missing or damaged.
  base::Result<std::shared_ptr<const gdl::Rulesheet>> rules(const base::Limits& limits = {}) const;
  base::Result<Description> description() const;
  base::Result<Manifest> manifest() const;

 private:
  base::Result<void> take_lock() const;
  // Whether they are those in the folder, if it has some.
  base::Result<void> check_rules(const gdl::Rulesheet& rules) const;
  // Brings files to the disk. Layers wait for this until all are written: what a power failure
  // tears before is found by its checksum.
  base::Result<void> secure(Part part, std::size_t layer, std::uint64_t& checksum) const;
  base::Result<void> secure(std::size_t layer, bool distances, StoredLayer& stored) const;
  void remove_notes() const;
  void remove_layers_beside(const Manifest& manifest) const;
  std::optional<std::filesystem::path> lost_file(const Manifest& manifest) const;

  std::filesystem::path path_;
  mutable std::shared_ptr<const dd::FolderLock> lock_;  // once it was claimed
};

}  // namespace zermelo::solve

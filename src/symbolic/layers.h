// Reachability: the states of a game by number of steps, as one diagram per layer.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/folder_files.h"
#include "dd/options.h"
#include "symbolic/model.h"

namespace zermelo::symbolic {

// Constants of a layer's diagram. Assignments that are not in the layer have 0.
inline constexpr dd::NodeId not_terminal = 1, terminal = 2, layer_constants = 3;

struct LayerStatistics {
  std::size_t layer = 0;
  mpz_class states = 0;
  mpz_class terminal_states = 0;
  std::size_t nodes = 0;
  std::optional<std::size_t> set_nodes;  // past terminal states: of the set of all its states
  std::size_t bytes = 0;                 // of its diagram
  double seconds = 0;
};

// The meaning of the constants of stored layers, if they say more about a state than whether it is
// terminal. A search stores the labelled layers and finds later layers from them.
class LayerLabels {
 public:
  virtual ~LayerLabels() = default;
  // Whether the states with this constant are terminal. The constant is not 0.
  virtual bool is_terminal(dd::NodeId constant) const = 0;
  // A checksum of the meaning of a diagram with this number of constants. nullopt if no layer can
  // have as many.
  virtual std::optional<std::uint64_t> meaning(dd::NodeId constants) const = 0;
  // Called once before the search, with the constants of the last stored layer; 0 if there is none.
  virtual base::Result<void> resume(dd::NodeId constants) = 0;
  // Replaces the constants not_terminal and terminal. Fails for layers that the caller refuses.
  virtual base::Result<dd::Diagram> label(std::size_t layer, dd::Diagram states) = 0;
};

// Labels with the constants not_terminal and terminal.
class TerminalLabels : public LayerLabels {
 public:
  bool is_terminal(dd::NodeId constant) const override { return constant == terminal; }
  std::optional<std::uint64_t> meaning(dd::NodeId constants) const override {
    return constants == layer_constants ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
  base::Result<void> resume(dd::NodeId) override { return {}; }
  base::Result<dd::Diagram> label(std::size_t, dd::Diagram states) override { return states; }
};

// How the layers in a folder are stored.
struct LayerFiles {
  std::string list = "layers.txt";
  std::string extension = "zdd";
  bool has_variables = true;  // in variables.txt; otherwise the caller stores them
  // The lock on the folder, if the caller holds it. The caller then knows that the folder may be
  // used. Otherwise the search checks that and locks the folder.
  std::shared_ptr<const dd::FolderLock> lock = {};
  // If cached, a power failure can damage files. A damaged list then counts as missing.
  dd::Durability durability = dd::Durability::synced;
};

class LayerFolder;

struct LayersOptions {
  // Whether states of earlier layers are left out. If not, a layer has all successors of the one
  // before, and a game in which states repeat has no last layer.
  bool only_new = true;
  bool continue_past_terminal = false;
  std::size_t max_layers = ~std::size_t{0};
  bool keep = true;                   // the diagrams, in the result
  std::filesystem::path folder = {};  // if not empty, where layers are stored and resumed
  LayerFiles files = {};              // in the folder
  LayerLabels* labels = nullptr;
  // Layers of the same game and variables that another search stored. Used instead of computing
  // them. Requires that only_new is false.
  const LayerFolder* earlier = nullptr;
  // Without only_new: end when a layer is equal to an earlier one, and determine whether layers are
  // disjoint.
  bool detect_repetition = false;
  dd::Options diagrams = {};  // including limits
  // Called with each layer. An error ends the search.
  std::function<base::Result<void>(const dd::Diagram&)> visit = {};
  std::function<void(const LayerStatistics&)> progress = {};  // after each layer
};

struct Layers {
  std::vector<dd::Diagram> diagrams;  // by layer, if they are kept and there is no folder
  std::vector<LayerStatistics> statistics;
  std::vector<std::uint64_t> checksums;  // by layer, of its file, if there is a folder
  bool complete = false;                 // no further layer has states
  bool repeats = false;                  // a layer is equal to an earlier one: there is no last one
  bool disjoint = false;                 // it is known that no state is in two layers
  // The limit that was reached, or the error of the folder or the visitor. The layers so far are
  // complete.
  std::optional<base::Error> stopped;

  mpz_class states() const;
  mpz_class terminal_states() const;
  std::size_t peak_nodes() const;
};

// A limit and a full disk are ordinary outcomes: the result has the layers so far and `stopped`.
// Fails if the folder cannot be used.
base::Result<Layers> find_layers(const Model& model, const LayersOptions& options = {});

}  // namespace zermelo::symbolic

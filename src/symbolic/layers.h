// Reachability: the states of a game by the number of steps to them, as one diagram per layer.
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
#include "dd/options.h"
#include "dd/stored_folder.h"
#include "symbolic/model.h"

namespace zermelo::symbolic {

// Constants of a layer's diagram, beside 0 for assignments that are not in it.
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

// What the constants of the stored layers mean, where these say more about a state than whether it
// is terminal. A search stores the labelled layers and finds later layers from them.
class LayerLabels {
 public:
  virtual ~LayerLabels() = default;
  // Whether the states with this constant are terminal. The constant is not 0.
  virtual bool is_terminal(dd::NodeId constant) const = 0;
  // A checksum of the meaning of a diagram with so many constants. Nothing if no layer has so many.
  virtual std::optional<std::uint64_t> meaning(dd::NodeId constants) const = 0;
  // Called once before the search, with the constants of the last stored layer; 0 if there is none.
  virtual base::Result<void> resume(dd::NodeId constants) = 0;
  // Replaces the constants above. Fails for layers that the caller refuses.
  virtual base::Result<dd::Diagram> label(std::size_t layer, dd::Diagram states) = 0;
};

// The labels of layers that have the constants above.
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
  // States already in an earlier layer are left out. Otherwise a state is in every layer from whose
  // predecessors it follows, and games in which states repeat do not end.
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
  // Without only_new: end when a layer is equal to an earlier one, and find out whether layers are
  // disjoint.
  bool detect_repetition = false;
  dd::Options diagrams = {};  // limits among them
  // Sees each layer, and ends the search with an error.
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
  // Otherwise: the limit reached, or why the folder or the visitor took no more; layers so far are
  // whole.
  std::optional<base::Error> stopped;

  mpz_class states() const;
  mpz_class terminal_states() const;
  std::size_t peak_nodes() const;
};

// Limits of time and memory are an ordinary outcome, in `stopped`, and so is a disk that gets full:
// what was counted is in the result. An error is a folder that cannot be used.
base::Result<Layers> find_layers(const Model& model, const LayersOptions& options = {});

}  // namespace zermelo::symbolic

// Layers on disk, for counting and for solving. There is one file per layer, written atomically,
// and a list of the complete layers, which is replaced after each layer. So the folder is always in
// the state of a search that was interrupted between two layers.
//
// Everything is checked before it is used: the list ends with its own checksum and contains those
// of all other files. A layer that is missing or damaged is recomputed, with all later layers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/folder_files.h"
#include "symbolic/layers.h"

namespace zermelo::symbolic {

struct ListedLayer {
  LayerStatistics statistics;
  std::uint64_t checksum = 0;  // of the file
  std::uint64_t meaning = 0;   // of its constants, see LayerLabels
};

// The content of a folder's list.
struct LayerList {
  std::string signature;                 // of rules and variables
  std::uint64_t variables_checksum = 0;  // of their file; 0: there is none
  bool only_new = true;                  // as in LayersOptions
  bool continue_past_terminal = false;   // as in LayersOptions
  bool is_graded = true;                 // layers are known to be disjoint without a search
  bool has_left_out = false;             // some states, because they are in earlier layers
  bool is_complete = false;
  std::vector<ListedLayer> layers;
};

class LayerFolder {
 public:
  // Opens or creates the folder of a search, and locks it as long as this object exists. Fails for
  // a folder of another search or of something else, for one that another run writes to, and for a
  // damaged list, unless files are cached. The labels, which must outlive this, define which
  // constants a layer may have.
  static base::Result<LayerFolder> open(std::filesystem::path path, const Model& model,
                                        const LayersOptions& options, const LayerLabels& labels);

  // Opens the layers that `count` stored in a folder, which the caller has locked, for a search
  // that needs all states of every layer. Returns nullopt if there are none. Fails with
  // not_applicable if they are of another game, continue past terminal states, or lack states.
  static base::Result<std::optional<LayerFolder>> open_counted(
      std::filesystem::path path, std::shared_ptr<const dd::FolderLock> lock, const Model& model,
      const base::Limits& limits);

  // The number of layers in intact files.
  std::size_t size() const { return list_.layers.size(); }
  std::vector<LayerStatistics> layers() const;
  std::vector<std::uint64_t> checksums() const;
  bool is_complete() const { return list_.is_complete; }
  bool is_graded() const { return list_.is_graded; }
  bool has_left_out() const { return list_.has_left_out; }
  // The number of constants of the last layer; 0 if there is none.
  dd::NodeId constants() const { return constants_; }

  base::Result<dd::Diagram> load(std::size_t layer, const dd::Options& options) const;
  // Writes the layer, then adds it to the list.
  base::Result<void> add(const dd::Diagram& diagram, const LayerStatistics& statistics);
  base::Result<void> complete();
  // Stores with the next layer that layers are no longer assumed to be disjoint.
  void give_up_grading() { list_.is_graded = false; }
  // Stores with the next layer that it lacks states.
  void note_left_out() { list_.has_left_out = true; }

 private:
  LayerFolder(std::filesystem::path path, LayerFiles files, dd::Domains domains,
              const LayerLabels& labels)
      : path_(std::move(path)),
        files_(std::move(files)),
        domains_(std::move(domains)),
        labels_(&labels) {}

  std::filesystem::path file(std::size_t layer) const;
  std::filesystem::path list_file() const;
  // Starts a list, or reads the existing one.
  base::Result<void> begin_list(const Model& model);
  base::Result<void> read_list(const Model& model, const LayersOptions& options);
  base::Result<bool> is_whole(std::size_t layer);
  base::Result<void> forget_damaged_layers(const base::Limits& limits);
  base::Result<void> write_list() const;

  std::filesystem::path path_;
  LayerFiles files_;
  dd::Domains domains_;
  const LayerLabels* labels_;
  LayerList list_;
  dd::NodeId constants_ = 0;
};

// Whether the folder has a list of layers that `count` stored.
bool holds_counted_layers(const std::filesystem::path& folder);
// Whether `count` writes files with this name.
bool is_counted_file(std::string_view name);
// Removes these files, the list first. Requires that the caller holds the lock.
void remove_counted_files(const std::filesystem::path& folder);

// The variables of a folder's diagrams in their order, and how that was found.
struct VariableList {
  std::string origin;
  std::vector<Variable> variables;
};

// Returns nullopt if the folder has no list of layers yet: its variables, if any, may then be of
// other rules or another search. Fails for variables of another game or of other layers, for a
// folder of something else, and for one that another run writes to, unless the caller has locked
// it.
base::Result<std::optional<VariableList>> load_variables(
    const std::filesystem::path& folder, const ground::Game& game,
    std::shared_ptr<const dd::FolderLock> lock = {});
// Creates the folder if it is missing. Fails if another run writes to it, or did so in the
// meantime.
base::Result<void> save_variables(const std::filesystem::path& folder, const ground::Game& game,
                                  const VariableList& list);

}  // namespace zermelo::symbolic

// Layers on disk, for counting and for solving. There is a file per layer, written whole or not at
// all, and a list of the complete layers, which is replaced after each layer. So the folder is
// always that of a search that was interrupted between two layers.
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
#include "dd/stored_folder.h"
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
  // Opens the folder of a search, or makes one, and keeps others from writing to it as long as this
  // lives. Folders of another search or of something else, and those that another run writes to,
  // are errors. A damaged list is one too, unless files are cached. The labels, which must outlive
  // this, decide which constants a layer may have.
  static base::Result<LayerFolder> open(std::filesystem::path path, const Model& model,
                                        const LayersOptions& options, const LayerLabels& labels);

  // Opens the layers that `count` stored in a folder, which the caller has locked, to continue from
  // them with all states of every layer. Nothing if there are none. Fails with not_applicable if
  // they are of another game, go past terminal states, or have left out states.
  static base::Result<std::optional<LayerFolder>> open_counted(
      std::filesystem::path path, std::shared_ptr<const dd::FolderLock> lock, const Model& model,
      const base::Limits& limits);

  // The layers in intact files.
  std::size_t size() const { return list_.layers.size(); }
  std::vector<LayerStatistics> layers() const;
  std::vector<std::uint64_t> checksums() const;
  bool is_complete() const { return list_.is_complete; }
  bool is_graded() const { return list_.is_graded; }
  bool has_left_out() const { return list_.has_left_out; }
  // The number of constants of the last layer; 0 if there is none.
  dd::NodeId constants() const { return constants_; }

  base::Result<dd::Diagram> load(std::size_t layer, const dd::Options& options) const;
  // The layer is on disk before it is in the list.
  base::Result<void> add(const dd::Diagram& diagram, const LayerStatistics& statistics);
  base::Result<void> complete();
  // Layers are no longer assumed to be disjoint. Stored with the next layer.
  void give_up_grading() { list_.is_graded = false; }
  // The next layer does not have all its states. Stored with it.
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
  // Begins a list, or reads the one that is there.
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
// Whether it is the name of a file that `count` writes.
bool is_counted_file(std::string_view name);
// Removes these files, the list first. Only for the holder of the lock.
void remove_counted_files(const std::filesystem::path& folder);

// The variables of a folder's diagrams in their order, and how that was found.
struct VariableList {
  std::string origin;
  std::vector<Variable> variables;
};

// Nothing if the folder has no list of layers yet: nothing then says of which rules and which
// search its variables are, if it has some. Variables that are not of this game, or not those that
// the layers were made with, and a folder of something else are errors; so is one that another run
// writes to, unless the caller has locked it.
base::Result<std::optional<VariableList>> load_variables(
    const std::filesystem::path& folder, const ground::Game& game,
    std::shared_ptr<const dd::FolderLock> lock = {});
// Makes the folder if need be. An error if another run writes to it, or did so in the meantime.
base::Result<void> save_variables(const std::filesystem::path& folder, const ground::Game& game,
                                  const VariableList& list);

}  // namespace zermelo::symbolic

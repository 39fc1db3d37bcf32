// Layers on disk. A file per layer, written whole or not at all, and a list of the layers that are
// whole, replaced after each: whatever happens, the folder is that of a search that got so far. The
// variables are written down before the first layer.
//
// Nothing there is taken for granted: the list ends with its own checksum and has those of all
// other files. A layer that is lost or damaged is found again, with all after it; a damaged list,
// or variables that are not those of the list, are errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/stored_folder.h"
#include "symbolic/layers.h"

namespace zermelo::symbolic {

// What the list of a folder says.
struct LayerList {
  std::string signature;                 // of rules, variables and what the search includes
  std::uint64_t variables_checksum = 0;  // of their file; 0: there is none
  bool is_graded = true;
  bool is_complete = false;
  std::vector<LayerStatistics> layers;
  std::vector<std::uint64_t> checksums;  // of the files, by layer
};

class LayerFolder {
 public:
  // Opens the folder of a search, or makes one, and keeps others from writing to it as long as this
  // lives. Folders of another search or of something else, and those that another run writes to,
  // are errors, and so is a damaged list.
  static base::Result<LayerFolder> open(std::filesystem::path path, const Model& model,
                                        const LayersOptions& options);

  // What the folder holds so far, in whole files.
  const std::vector<LayerStatistics>& layers() const { return list_.layers; }
  bool is_complete() const { return list_.is_complete; }
  bool is_graded() const { return list_.is_graded; }

  base::Result<dd::Diagram> load(std::size_t layer, const dd::Options& options) const;
  // The layer is on the disk before the list names it.
  base::Result<void> add(const dd::Diagram& diagram, const LayerStatistics& statistics);
  base::Result<void> complete();
  // Layers are no longer taken to be disjoint. Stored with the next layer.
  void give_up_grading() { list_.is_graded = false; }

 private:
  LayerFolder(std::filesystem::path path, std::shared_ptr<const dd::FolderLock> lock,
              dd::Domains domains)
      : path_(std::move(path)), lock_(std::move(lock)), domains_(std::move(domains)) {}

  std::filesystem::path file(std::size_t layer) const;
  // These begin a list, or take up the one that is there.
  base::Result<void> begin_list(std::string signature, const Model& model);
  base::Result<void> take_up_list(const std::string& signature, const base::Limits& limits);
  base::Result<bool> is_whole(std::size_t layer) const;
  base::Result<void> forget_damaged_layers(const base::Limits& limits);
  base::Result<void> write_list() const;

  std::filesystem::path path_;
  std::shared_ptr<const dd::FolderLock> lock_;
  dd::Domains domains_;
  LayerList list_;
};

// The variables of a folder's diagrams in their order, and how that was found.
struct VariableList {
  std::string origin;
  std::vector<Variable> variables;
};

// Nothing if the folder has no list of layers yet: nothing then says of which rules and which
// search its variables are, if it has some. Variables that are not of this game, or not those that
// the layers were made with, a folder of something else, and one that another run writes to, are
// errors.
base::Result<std::optional<VariableList>> load_variables(const std::filesystem::path& folder,
                                                         const ground::Game& game);
// Makes the folder if need be. An error if another run writes to it, or did so in the meantime.
base::Result<void> save_variables(const std::filesystem::path& folder, const ground::Game& game,
                                  const VariableList& list);

}  // namespace zermelo::symbolic

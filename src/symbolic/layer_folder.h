// Layers on disk. A file per layer, written whole or not at all, and a list of the layers that are
// whole, replaced after each: whatever happens, the folder is that of a search that got so far. The
// variables are written down before the first layer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "symbolic/layers.h"

namespace zermelo::symbolic {

class LayerFolder {
 public:
  // Opens a folder of the same search, or makes one. The signature says which search it is of; a
  // folder of another one, or of something else, is an error.
  static base::Result<LayerFolder> open(std::filesystem::path path, std::string signature);

  // What the folder holds so far.
  const std::vector<LayerStatistics>& layers() const { return layers_; }
  bool is_complete() const { return is_complete_; }
  bool is_graded() const { return is_graded_; }

  base::Result<dd::Diagram> load(std::size_t layer, const dd::Options& options) const;
  base::Result<void> add(const dd::Diagram& diagram, const LayerStatistics& statistics);
  base::Result<void> complete();
  // Forgets all layers.
  base::Result<void> restart(bool is_graded);

 private:
  LayerFolder(std::filesystem::path path, std::string signature)
      : path_(std::move(path)), signature_(std::move(signature)) {}

  std::filesystem::path list() const;
  std::filesystem::path file(std::size_t layer) const;
  base::Result<void> read_list();
  base::Result<void> write_list() const;

  std::filesystem::path path_;
  std::string signature_;
  std::vector<LayerStatistics> layers_;
  bool is_complete_ = false;
  bool is_graded_ = true;
};

// The variables of a folder's diagrams in their order, and how that was found.
struct VariableList {
  std::string origin;
  std::vector<Variable> variables;
};

// Nothing if the folder has none yet. Variables that are not of this game, and a folder of
// something else, are an error.
base::Result<std::optional<VariableList>> load_variables(const std::filesystem::path& folder,
                                                         const ground::Game& game);
// Makes the folder if need be.
base::Result<void> save_variables(const std::filesystem::path& folder, const ground::Game& game,
                                  const VariableList& list);

// Of the rules, the variables in their order, and what the search includes.
std::string search_signature(const Model& model, const LayersOptions& options);

}  // namespace zermelo::symbolic

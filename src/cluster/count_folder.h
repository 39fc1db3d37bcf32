// A count on several ranks, on disk: one file of states per rank, which only grows, and a manifest
// that says which part of the files is valid. docs/reference/formats.md describes the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/mutex_groups.h"
#include "base/result.h"
#include "dd/folder_files.h"
#include "solve/explicit/enumerate.h"

namespace zermelo::cluster {

// The states of one layer that one rank holds.
struct StoredPart {
  std::uint64_t states = 0;
  std::uint64_t checksum = 0;
};

struct CountManifest {
  std::string rules;  // in canonical layout
  bool continue_past_terminal = false;
  std::vector<analysis::MutexGroup> groups;  // by which the states are packed
  std::size_t words = 1;                     // of a packed state
  std::vector<solve::LayerCount> layers;     // the expanded ones
  // By rank and layer, including one layer that is not expanded; that is empty if the count is
  // finished.
  std::vector<std::vector<StoredPart>> parts;

  std::size_t ranks() const { return parts.size(); }
};

std::string to_text(const CountManifest& manifest);
// Fails with unreadable_input.
base::Result<CountManifest> manifest_from(const std::string& text);

class CountFolder {
 public:
  explicit CountFolder(std::filesystem::path path) : path_(std::move(path)) {}

  // For rank 0: creates the folder if it is missing, locks it as long as this object exists, and
  // returns the text of its manifest; empty if there is none. Fails with not_applicable if it holds
  // other files or another run writes to it.
  base::Result<std::string> claim();
  // For rank 0: replaces the manifest, after which it removes files of another number of ranks.
  base::Result<void> store(const CountManifest& manifest) const;

  // Appends states to the file of a rank, which first had `before` valid bytes.
  base::Result<void> append(std::size_t rank, std::size_t ranks, std::uint64_t before,
                            const std::vector<std::uint64_t>& words) const;
  // Reads a layer of the file of a rank. Fails with unreadable_input.
  base::Result<std::vector<std::uint64_t>> read(const CountManifest& manifest, std::size_t rank,
                                                std::size_t layer) const;

 private:
  std::filesystem::path file(std::size_t rank, std::size_t ranks) const;

  std::filesystem::path path_;
  std::shared_ptr<const dd::FolderLock> lock_;
};

}  // namespace zermelo::cluster

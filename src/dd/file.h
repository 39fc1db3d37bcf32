// Diagrams on disk. A file contains the child arrays as they are in memory, level by level in
// blocks of rows. Each block is compressed and checksummed; a directory of all blocks comes first.
// docs/reference/formats.md specifies the format. Damage, truncation and other versions are errors
// with a specific message.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"

namespace zermelo::dd {

// The checksum defined in docs/reference/formats.md, of bytes and of a file.
std::uint64_t checksum(const void* data, std::size_t bytes);
base::Result<std::uint64_t> file_checksum(const std::filesystem::path& path);

// Writes a temporary file and renames it, so that a file with this name is always complete.
base::Result<void> save(const Diagram& diagram, const std::filesystem::path& path);

// The options say where levels go that are too large for memory.
base::Result<Diagram> load(const std::filesystem::path& path, const Options& options = {});
// The same for a file that somebody may have replaced: if its variables differ, it fails before it
// allocates anything that depends on them.
base::Result<Diagram> load(const std::filesystem::path& path, const Domains& domains,
                           const Options& options);

// A diagram that stays on disk. Opening reads the directory. A query reads one block per level and
// caches it for the next query. Not thread-safe.
class DiagramFile {
 public:
  static base::Result<DiagramFile> open(const std::filesystem::path& path);
  // Fails if the variables differ.
  static base::Result<DiagramFile> open(const std::filesystem::path& path, const Domains& domains);

  const Domains& domains() const { return domains_; }
  NodeId constants() const { return constants_; }
  std::size_t nodes() const;
  // The checksum of the directory, which contains those of all blocks: it identifies the content.
  std::uint64_t directory_checksum() const { return directory_checksum_; }

  // Like Diagram::evaluate; fails if a block is damaged.
  base::Result<NodeId> evaluate(std::span<const Value> assignment);
  // Loads the whole diagram and checks every block.
  base::Result<Diagram> load(const Options& options = {}) const;

 private:
  struct Level {
    NodeId base = 0;
    std::uint64_t rows = 0;
    std::size_t rows_per_block = 0;
    std::size_t first_block = 0;
  };
  struct Block {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t checksum = 0;
  };
  struct RecentBlock {
    std::size_t index = 0;
    std::vector<NodeId> children;  // empty: nothing read yet
  };
  class Mapping;
  friend base::Result<std::uint64_t> file_checksum(const std::filesystem::path& path);

  DiagramFile() = default;
  base::Result<void> read_directory();
  // These return a description of the error, or nullptr.
  const char* read_levels(const std::uint8_t* data, std::size_t variables, std::uint64_t blocks);
  const char* read_blocks(const std::uint8_t* data, std::uint64_t offset, std::uint64_t blocks);
  base::Error damaged(const char* what) const;
  bool is_whole(const Block& block) const;
  // Appends the children of all rows of a block.
  base::Result<void> read_block(std::size_t level, std::size_t block,
                                std::vector<NodeId>& children) const;

  std::filesystem::path path_;
  std::shared_ptr<const Mapping> mapping_;
  Domains domains_;
  NodeId constants_ = 0;
  NodeId root_ = 0;
  std::uint64_t directory_checksum_ = 0;
  std::vector<Level> levels_;
  std::vector<Block> blocks_;
  std::vector<RecentBlock> recent_;  // by level
};

}  // namespace zermelo::dd

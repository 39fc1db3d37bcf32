// The child arrays of an expansion: written level by level from the top down, read back from the
// bottom up. Data beyond Options::children_in_memory goes to a scratch file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dd/codes.h"
#include "dd/options.h"
#include "dd/scratch_file.h"

namespace zermelo::dd {

class ChildStore {
 public:
  // Consecutive rows of one shard of a level.
  struct Chunk {
    std::size_t shard = 0;
    NodeId first = 0;  // index of the first row in its shard
    NodeId rows = 0;
    std::vector<NodeId> codes;  // empty if the codes are in the file
    std::uint64_t offset = 0;   // in the file
    std::size_t count = 0;
  };

  struct Level {
    Sharding sharding;         // of the rows of this level
    std::vector<NodeId> rows;  // by shard
    std::vector<Chunk> chunks;
    std::uint64_t file_begin = 0;
  };

  explicit ChildStore(const Options& options);

  void begin_level(Sharding sharding, std::vector<NodeId> rows);
  // Discards the chunks of the last level, to build that level in another way.
  void clear_level();
  // Adds a chunk to the last level. Returns false if it had to go to the scratch file and that
  // failed.
  bool add(Chunk chunk);

  std::size_t levels() const { return levels_.size(); }
  const Level& level(std::size_t l) const { return levels_[l]; }
  // Returns the codes of a chunk, from memory or read into the buffer; nullptr if they cannot be
  // read.
  const NodeId* read(const Chunk& chunk, std::vector<NodeId>& buffer) const;
  // Replaces the codes of a chunk of the last level by as many others.
  bool replace(std::size_t chunk, const std::vector<NodeId>& codes);
  // Discards the last level and frees its space.
  void drop_level();

 private:
  std::vector<Level> levels_;
  std::filesystem::path folder_;
  std::size_t memory_;
  std::size_t in_memory_ = 0;
  std::optional<ScratchFile> file_;
};

}  // namespace zermelo::dd

// The child arrays of an expansion: written level by level from the top down, read back level by
// level from the bottom up. What exceeds Options::children_in_memory goes to a scratch file.
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
    NodeId first = 0;  // place of the first row in its shard
    NodeId rows = 0;
    std::vector<NodeId> codes;  // empty when the codes are in the file
    std::uint64_t offset = 0;   // there
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
  // Forgets the chunks of the last level. Used to build that level in another way.
  void clear_level();
  // Takes over a chunk of the last level; false if it had to go to the scratch file and could not.
  bool add(Chunk chunk);

  std::size_t levels() const { return levels_.size(); }
  const Level& level(std::size_t l) const { return levels_[l]; }
  // The codes of a chunk, from memory or through the buffer; nullptr if they cannot be read.
  const NodeId* read(const Chunk& chunk, std::vector<NodeId>& buffer) const;
  // Puts other codes, as many, in place of those of a chunk of the last level.
  bool replace(std::size_t chunk, const std::vector<NodeId>& codes);
  // Gives back the space of the last level.
  void drop_level();

 private:
  std::vector<Level> levels_;
  std::filesystem::path folder_;
  std::size_t memory_;
  std::size_t in_memory_ = 0;
  std::optional<ScratchFile> file_;
};

}  // namespace zermelo::dd

#include "dd/child_store.h"

#include <utility>

namespace zermelo::dd {

ChildStore::ChildStore(const Options& options)
    : folder_(options.scratch_folder), memory_(options.children_in_memory) {}

void ChildStore::begin_level(Sharding sharding, std::vector<NodeId> rows) {
  levels_.push_back({sharding, std::move(rows), {}, file_ ? file_->size() : 0});
}

bool ChildStore::add(Chunk chunk) {
  chunk.count = chunk.codes.size();
  const std::size_t bytes = chunk.count * sizeof(NodeId);
  if (folder_.empty() || in_memory_ + bytes <= memory_) {
    in_memory_ += bytes;
    if (chunk.codes.capacity() > 2 * chunk.codes.size()) chunk.codes.shrink_to_fit();
  } else {
    if (!file_) file_ = ScratchFile::create(folder_);
    if (!file_) return false;
    chunk.offset = file_->size();
    if (!file_->append(chunk.codes.data(), bytes)) return false;
    std::vector<NodeId>().swap(chunk.codes);
  }
  levels_.back().chunks.push_back(std::move(chunk));
  return true;
}

const NodeId* ChildStore::read(const Chunk& chunk, std::vector<NodeId>& buffer) const {
  if (!chunk.codes.empty() || chunk.count == 0) return chunk.codes.data();
  buffer.resize(chunk.count);
  const bool whole = file_->read(chunk.offset, buffer.data(), chunk.count * sizeof(NodeId));
  return whole ? buffer.data() : nullptr;
}

bool ChildStore::replace(std::size_t index, const std::vector<NodeId>& codes) {
  Chunk& chunk = levels_.back().chunks[index];
  if (!chunk.codes.empty()) {
    chunk.codes = codes;
    return true;
  }
  return file_->overwrite(chunk.offset, codes.data(), codes.size() * sizeof(NodeId));
}

void ChildStore::clear_level() {
  Level& level = levels_.back();
  for (const Chunk& chunk : level.chunks) in_memory_ -= chunk.codes.size() * sizeof(NodeId);
  level.chunks.clear();
  if (file_) file_->truncate(level.file_begin);  // on failure the space stays unused
}

void ChildStore::drop_level() {
  clear_level();
  levels_.pop_back();
}

}  // namespace zermelo::dd

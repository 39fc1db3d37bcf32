#include "dd/node_array.h"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace zermelo::dd {

NodeArray::NodeArray(std::vector<NodeId> ids) {
  const auto owner = std::make_shared<const std::vector<NodeId>>(std::move(ids));
  data_ = owner->data();
  size_ = owner->size();
  owner_ = owner;
}

void NodeArray::release() const {
  if (!is_in_file_) return;
  ::madvise(const_cast<NodeId*>(data_), size_ * sizeof(NodeId), MADV_DONTNEED);
}

void NodeArrayWriter::expect(std::size_t count) {
  if (in_memory_ + count * sizeof(NodeId) <= memory_) ids_.reserve(ids_.size() + count);
}

bool NodeArrayWriter::append(const NodeId* ids, std::size_t count) {
  ids_.insert(ids_.end(), ids, ids + count);
  return flush();
}

bool NodeArrayWriter::append(std::vector<NodeId> ids) {
  const bool is_begun = is_in_file_ || !ids_.empty();
  if (is_begun || ids_.capacity() >= ids.size()) return append(ids.data(), ids.size());
  ids_ = std::move(ids);
  return flush();
}

// Writes the excess to the file.
bool NodeArrayWriter::flush() {
  const std::size_t bytes = ids_.size() * sizeof(NodeId);
  if (folder_.empty() || (!is_in_file_ && in_memory_ + bytes <= memory_)) return true;
  if (!file_) file_ = ScratchFile::create(folder_);
  if (!file_ || !file_->append(ids_.data(), bytes)) return false;
  is_in_file_ = true;
  std::vector<NodeId>().swap(ids_);
  return true;
}

std::optional<NodeArray> NodeArrayWriter::finish() {
  if (!is_in_file_) {
    in_memory_ += ids_.size() * sizeof(NodeId);
    return NodeArray(std::exchange(ids_, {}));
  }
  const std::size_t bytes = file_->size() - begin_;
  NodeArray array;
  array.owner_ = file_->map(begin_, bytes);
  if (!array.owner_) return std::nullopt;
  array.data_ = static_cast<const NodeId*>(array.owner_.get());
  array.size_ = bytes / sizeof(NodeId);
  array.is_in_file_ = true;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  begin_ = (file_->size() + page - 1) / page * page;
  if (!file_->truncate(begin_)) return std::nullopt;
  is_in_file_ = false;
  return array;
}

}  // namespace zermelo::dd

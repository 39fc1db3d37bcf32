// An immutable array of ids: in memory, or mapped from a scratch file, of which only the pages in
// use are in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "dd/options.h"
#include "dd/scratch_file.h"

namespace zermelo::dd {

using NodeId = std::uint32_t;

class NodeArray {
 public:
  NodeArray() = default;
  NodeArray(std::vector<NodeId> ids);  // NOLINT(google-explicit-constructor)
  NodeArray(std::initializer_list<NodeId> ids) : NodeArray(std::vector<NodeId>(ids)) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const NodeId* data() const { return data_; }
  const NodeId* begin() const { return data_; }
  const NodeId* end() const { return data_ + size_; }
  const NodeId& operator[](std::size_t i) const { return data_[i]; }

  // Frees the memory of pages of a file. They are read again on access.
  void release() const;

 private:
  friend class NodeArrayWriter;

  std::shared_ptr<const void> owner_;
  const NodeId* data_ = nullptr;
  std::size_t size_ = 0;
  bool is_in_file_ = false;
};

// Creates arrays one after the other. Those beyond Options::result_in_memory go to a scratch file.
class NodeArrayWriter {
 public:
  explicit NodeArrayWriter(const Options& options)
      : folder_(options.scratch_folder), memory_(options.result_in_memory) {}

  // Announces that `count` ids will be appended.
  void expect(std::size_t count);
  // These return false if the scratch file is needed but cannot be written or read.
  bool append(const NodeId* ids, std::size_t count);
  bool append(std::vector<NodeId> ids);
  std::optional<NodeArray> finish();

 private:
  bool flush();

  std::filesystem::path folder_;
  std::size_t memory_;
  std::size_t in_memory_ = 0;  // bytes of the previous arrays
  std::vector<NodeId> ids_;
  std::optional<ScratchFile> file_;
  std::uint64_t begin_ = 0;  // start of the array in the file
  bool is_in_file_ = false;  // part of the array is in the file
};

}  // namespace zermelo::dd

// Ids one behind the other that never change: in memory, or in a scratch file of which only what is
// read is in memory.
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

  // Gives back the memory that parts of a file take; they are read again when they are asked for.
  void release() const;

 private:
  friend class NodeArrayWriter;

  std::shared_ptr<const void> owner_;
  const NodeId* data_ = nullptr;
  std::size_t size_ = 0;
  bool is_in_file_ = false;
};

// Makes arrays one after the other. Those beyond Options::result_in_memory go to a scratch file.
class NodeArrayWriter {
 public:
  explicit NodeArrayWriter(const Options& options)
      : folder_(options.scratch_folder), memory_(options.result_in_memory) {}

  // Says that so many ids will be appended.
  void expect(std::size_t count);
  // These return whether the scratch file, if it is needed, takes the ids and gives them back.
  bool append(const NodeId* ids, std::size_t count);
  bool append(std::vector<NodeId> ids);
  std::optional<NodeArray> finish();

 private:
  bool flush();

  std::filesystem::path folder_;
  std::size_t memory_;
  std::size_t in_memory_ = 0;  // bytes of the arrays before
  std::vector<NodeId> ids_;
  std::optional<ScratchFile> file_;
  std::uint64_t begin_ = 0;  // of the array, in the file
  bool is_in_file_ = false;  // part of the array is
};

}  // namespace zermelo::dd

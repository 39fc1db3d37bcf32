// A nameless temporary file that is appended to and read at any offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace zermelo::dd {

class ScratchFile {
 public:
  // Returns nullopt if no file can be created in the folder.
  static std::optional<ScratchFile> create(const std::filesystem::path& folder);
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&& other) noexcept;
  ~ScratchFile();

  std::uint64_t size() const { return size_; }
  // These return whether all bytes were written or read.
  bool append(const void* data, std::size_t bytes);
  bool overwrite(std::uint64_t offset, const void* data, std::size_t bytes);
  bool read(std::uint64_t offset, void* data, std::size_t bytes) const;
  // Maps bytes for reading, which stay valid after the file is closed; null on failure. Requires an
  // offset at the start of a page.
  std::shared_ptr<const void> map(std::uint64_t offset, std::size_t bytes) const;
  // Truncates the file; returns false on failure.
  bool truncate(std::uint64_t size);

 private:
  explicit ScratchFile(int file) : file_(file) {}
  int file_;
  std::uint64_t size_ = 0;
};

}  // namespace zermelo::dd

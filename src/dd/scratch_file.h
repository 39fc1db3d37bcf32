// A nameless temporary file that is written at its end and read anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace zermelo::dd {

class ScratchFile {
 public:
  // Nothing if the folder does not take a file.
  static std::optional<ScratchFile> create(const std::filesystem::path& folder);
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&& other) noexcept;
  ~ScratchFile();

  std::uint64_t size() const { return size_; }
  // These return whether all bytes were written or read.
  bool append(const void* data, std::size_t bytes);
  bool overwrite(std::uint64_t offset, const void* data, std::size_t bytes);
  bool read(std::uint64_t offset, void* data, std::size_t bytes) const;
  // Bytes to be read in place, also when the file is closed; nothing if they cannot be. Requires an
  // offset that begins a page.
  std::shared_ptr<const void> map(std::uint64_t offset, std::size_t bytes) const;
  // Ends the file there; false where the system refuses.
  bool truncate(std::uint64_t size);

 private:
  explicit ScratchFile(int file) : file_(file) {}
  int file_;
  std::uint64_t size_ = 0;
};

}  // namespace zermelo::dd

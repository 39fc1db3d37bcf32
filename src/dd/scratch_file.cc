#include "dd/scratch_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

namespace zermelo::dd {

std::optional<ScratchFile> ScratchFile::create(const std::filesystem::path& folder) {
  std::string name = (folder / "zermelo-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return std::nullopt;
  ::unlink(name.c_str());
  return ScratchFile(file);
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)), size_(other.size_) {}

ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(size_, other.size_);
  return *this;
}

ScratchFile::~ScratchFile() {
  if (file_ >= 0) ::close(file_);
}

bool ScratchFile::append(const void* data, std::size_t bytes) {
  if (!overwrite(size_, data, bytes)) return false;
  size_ += bytes;
  return true;
}

bool ScratchFile::overwrite(std::uint64_t offset, const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(file_, from, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool ScratchFile::read(std::uint64_t offset, void* data, std::size_t bytes) const {
  char* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::pread(file_, to, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

std::shared_ptr<const void> ScratchFile::map(std::uint64_t offset, std::size_t bytes) const {
  void* const data =
      ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_, static_cast<off_t>(offset));
  if (data == MAP_FAILED) return nullptr;
  return std::shared_ptr<const void>(
      data, [bytes](const void* at) { ::munmap(const_cast<void*>(at), bytes); });
}

bool ScratchFile::truncate(std::uint64_t size) {
  int failed = 0;
  do {
    failed = ::ftruncate(file_, static_cast<off_t>(size));
  } while (failed != 0 && errno == EINTR);
  if (failed == 0) size_ = size;
  return failed == 0;
}

}  // namespace zermelo::dd

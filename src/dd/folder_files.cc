#include "dd/folder_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "dd/file.h"

namespace zermelo::dd {

namespace {

namespace fs = std::filesystem;
using base::ErrorKind;

// The reason is taken from errno.
base::Error unwritable(const fs::path& path) {
  return {ErrorKind::unwritable_output,
          fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno))};
}

// Renames a complete file to its final name; removes it on failure.
base::Result<void> rename_or_remove(const fs::path& whole, const fs::path& path) {
  if (::rename(whole.c_str(), path.c_str()) == 0) return {};
  const base::Error error = unwritable(path);
  ::unlink(whole.c_str());
  return tl::unexpected(error);
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

base::Result<std::shared_ptr<const FolderLock>> FolderLock::take(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::shared_ptr<const FolderLock> lock(new FolderLock(descriptor));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return tl::unexpected(written_by_another(folder));
  }
  return lock;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

base::Error written_by_another(const fs::path& folder) {
  return {ErrorKind::not_applicable, fmt::format("another run writes to '{}'", folder.string())};
}

base::Result<void> make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed) return {};
  return base::fail(ErrorKind::unwritable_output,
                    fmt::format("cannot write '{}': {}", folder.string(), failed.message()));
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

base::Result<void> sync(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return tl::unexpected(unwritable(path));
  const bool done = ::fsync(file) == 0;
  const base::Error error = unwritable(path);
  ::close(file);
  if (!done) return tl::unexpected(error);
  return {};
}

base::Result<void> write_text(const fs::path& path, const std::string& text,
                              Durability durability) {
  fs::path part = path;
  part += ".part";
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return tl::unexpected(unwritable(path));
  const bool written =
      write_all(file, text) && (durability == Durability::cached || ::fsync(file) == 0);
  const base::Error error = unwritable(path);
  ::close(file);
  if (written) return rename_or_remove(part, path);
  ::unlink(part.c_str());
  return tl::unexpected(error);
}

base::Result<std::string> read_text(const fs::path& path) {
  const auto fail = [&](const char* reason) {
    return base::fail(ErrorKind::unreadable_input,
                      fmt::format("cannot read '{}': {}", path.string(), reason));
  };
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (!fs::exists(status)) return fail(failed ? failed.message().c_str() : "no such file");
  if (!fs::is_regular_file(status)) return fail("not a regular file");
  std::string text(fs::file_size(path, failed), '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return in ? base::Result<std::string>(std::move(text)) : fail(std::strerror(errno));
}

base::Result<void> save_layer(const Diagram& diagram, const fs::path& path) {
  const auto saved = save(diagram, path);
  if (saved) return {};
  return base::fail(
      saved.error().kind,
      saved.error().message + "; the folder is kept, and the same command resumes from it");
}

bool is_part(const fs::path& path, const IsOurs& is_ours) {
  const std::string name = path.filename().string();
  const auto ending = name.find(".part");
  return ending != std::string::npos && is_ours(std::string_view(name).substr(0, ending));
}

void remove_parts(const fs::path& folder, const IsOurs& is_ours) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (is_part(entry.path(), is_ours)) fs::remove(entry.path(), failed);
  }
}

bool holds_others(const fs::path& folder, const IsOurs& is_allowed, const IsOurs& is_ours) {
  std::error_code failed;
  const fs::directory_iterator entries(folder, failed);
  return std::any_of(begin(entries), end(entries), [&](const fs::directory_entry& entry) {
    return !is_allowed(entry.path().filename().string()) && !is_part(entry.path(), is_ours);
  });
}

void remove_files(const fs::path& folder, const IsOurs& is_ours) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (is_ours(entry.path().filename().string())) fs::remove(entry.path(), failed);
  }
}

}  // namespace zermelo::dd

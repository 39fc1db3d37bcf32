#include "app/output_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "dd/folder_files.h"

namespace zermelo::app {

base::Result<OutputFolder> OutputFolder::open(const std::string& name) {
  if (name.empty()) return OutputFolder(name);
  const auto made = dd::make_folder(name);
  if (!made) return tl::unexpected(made.error());
  if (::access(name.c_str(), W_OK | X_OK) == 0) return OutputFolder(name);
  return base::fail(base::ErrorKind::unwritable_output,
                    fmt::format("cannot write into '{}': {}", name, std::strerror(errno)));
}

base::Result<OutputFolder> OutputFolder::open_without(const std::string& name,
                                                      const std::string& file) {
  auto folder = open(name);
  if (!folder || name.empty() || !std::filesystem::exists(folder->path_ / file)) return folder;
  return base::fail(
      base::ErrorKind::unwritable_output,
      fmt::format("'{}' already exists; use another folder", (folder->path_ / file).string()));
}

void OutputFolder::write(const std::string& file, const std::string& text) {
  if (path_.empty()) return;
  const auto written = dd::write_text(path_ / file, text, dd::Durability::cached);
  if (written_) written_ = written;
}

}  // namespace zermelo::app

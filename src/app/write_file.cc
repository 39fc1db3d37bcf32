#include "app/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "dd/folder_files.h"

namespace zermelo::app {
namespace {

base::Result<void> write_directly(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool is_written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) is_written = std::fclose(file) == 0 && is_written;
  if (is_written) return {};
  return base::fail(base::ErrorKind::unwritable_output,
                    fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

}  // namespace

base::Result<void> write_file(const std::string& path, const std::string& text) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool is_special =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  return is_special ? write_directly(path, text)
                    : dd::write_text(path, text, dd::Durability::cached);
}

}  // namespace zermelo::app

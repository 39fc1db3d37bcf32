#include "cli/write_file.h"

#include <filesystem>
#include <fstream>

namespace zermelo::cli {

base::Result<void> write_file(const std::string& folder, const std::string& name,
                              const std::string& text) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  const auto path = std::filesystem::path(folder) / name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (file.flush()) return {};
  return base::fail(base::ErrorKind::unwritable_output, "cannot write '" + path.string() + "'");
}

}  // namespace zermelo::cli

#include "app/temporary_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace zermelo::app {

base::Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code failed;
  std::string name = (std::filesystem::temp_directory_path(failed) / "zermelo-XXXXXX").string();
  if (!failed && ::mkdtemp(name.data()) == nullptr) failed = {errno, std::generic_category()};
  if (!failed) return TemporaryFolder(name);
  return base::fail(
      base::ErrorKind::unwritable_output,
      fmt::format("cannot create a temporary folder, see TMPDIR ({})", failed.message()));
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace zermelo::app

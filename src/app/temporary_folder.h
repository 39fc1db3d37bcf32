// A folder for what a request does not keep.
#pragma once

#include <filesystem>
#include <utility>

#include "base/result.h"

namespace zermelo::app {

// Removes the folder and all that is in it when this is destroyed, so also after a cancellation.
class TemporaryFolder {
 public:
  // Makes an empty folder where the system keeps temporary files.
  static base::Result<TemporaryFolder> make();

  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // empty once it was moved away
};

}  // namespace zermelo::app

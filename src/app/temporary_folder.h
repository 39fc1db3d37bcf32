// A folder for temporary files.
#pragma once

#include <filesystem>
#include <utility>

#include "base/result.h"

namespace zermelo::app {

// The destructor removes the folder and its contents, so also after a cancellation.
class TemporaryFolder {
 public:
  // Creates an empty folder in the temporary folder of the system.
  static base::Result<TemporaryFolder> make();

  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // empty after a move
};

}  // namespace zermelo::app

// A folder of files that a request asks for in addition to its result.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace zermelo::app {

// Every file is either complete or missing.
class OutputFolder {
 public:
  // Creates the folder. Fails with unwritable_output if nothing can be written into it. With an
  // empty name nothing is created or written.
  static base::Result<OutputFolder> open(const std::string& name);
  // Like open, but fails if the folder already has that file, which is then from an earlier run.
  static base::Result<OutputFolder> open_without(const std::string& name, const std::string& file);

  // Must be called by one thread at a time. The first error is kept; later files are still tried.
  void write(const std::string& file, const std::string& text);

  // The first error in writing, if any.
  const base::Result<void>& written() const { return written_; }

 private:
  explicit OutputFolder(const std::string& name) : path_(name) {}

  std::filesystem::path path_;
  base::Result<void> written_;
};

}  // namespace zermelo::app

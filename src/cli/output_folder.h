// A folder of files that a command is asked to write beside its answer.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/exit_code.h"

namespace zermelo::cli {

// Every file is whole or not there.
class OutputFolder {
 public:
  // Makes the folder. Fails with unwritable_output where nothing can be written into it. With an
  // empty name there is no folder, and nothing is written.
  static base::Result<OutputFolder> open(const std::string& name);
  // The same where the folder must not have that file, which would be of an earlier run.
  static base::Result<OutputFolder> open_without(const std::string& name, const std::string& file);

  // One call at a time. Keeps the first error, and tries again with the next file.
  void write(const std::string& file, const std::string& text);

  // How the command ends after its answer: as it would, unless a file could not be written. Says
  // so on standard error.
  ExitCode end(ExitCode otherwise) const;

 private:
  explicit OutputFolder(const std::string& name) : path_(name) {}

  std::filesystem::path path_;
  base::Result<void> written_;
};

}  // namespace zermelo::cli

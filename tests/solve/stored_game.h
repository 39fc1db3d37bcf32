// Solutions in folders of their own, gone with the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "solve/explicit/explicit_folder.h"
#include "solve/folder/solution_reader.h"
#include "solve/load_game.h"
#include "solve/verify/verify.h"

namespace zermelo::solve {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int made = 0;
    const std::filesystem::path in_memory = "/dev/shm";  // where syncing costs nothing
    path_ =
        (std::filesystem::exists(in_memory) ? in_memory : std::filesystem::temp_directory_path()) /
        ("zermelo_solve_" + std::to_string(::getpid()) + "_" + std::to_string(made++));
    std::filesystem::remove_all(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  SolutionFolder folder() const { return SolutionFolder(path_); }

  std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary | std::ios::trunc) << bytes;
  }
  // By name, the bytes.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      const std::string name = entry.path().filename().string();
      found[name] = read(name);
    }
    return found;
  }

 private:
  std::filesystem::path path_;
};

// Throws when it cannot be stored.
inline void store_in(const TemporaryFolder& folder, const ExplicitSolution& solution,
                     bool distances = true) {
  const auto stored = store(solution, folder.folder(), {distances, {}});
  if (!stored) throw std::runtime_error(stored.error().message);
}

// Empty if the solution is right, else the first failure or the error.
inline std::string problem_with(const TemporaryFolder& folder) {
  const auto verification = verify(folder.path());
  if (!verification) return verification.error().message;
  return verification->ok() ? "" : verification->failures.at(0);
}

}  // namespace zermelo::solve

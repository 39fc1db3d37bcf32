// What the checkers of solution folders have in common: reading the folder, and noting what is
// wrong with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "dd/diagram.h"
#include "machine/machine.h"
#include "solve/folder/solution_folder.h"
#include "solve/folder/state_code.h"
#include "solve/verify/verify.h"

namespace zermelo::solve {

// The base of a checker. Folder and options must outlive it.
class FolderCheck {
 protected:
  using Part = SolutionFolder::Part;

  FolderCheck(const SolutionFolder& folder, const VerifyOptions& options)
      : folder_(folder), options_(options), random_(options.seed) {}
  ~FolderCheck() = default;

  // Notes a failure.
  void fail(std::string problem);
  // Returns the value of a result. Otherwise notes a failure or the limit that was reached.
  template <class T>
  std::optional<T> take(base::Result<T> result) {
    if (result) return std::move(*result);
    if (!base::is_limit(result.error().kind)) {
      fail(result.error().message);
    } else {
      limit_ = result.error().kind;
    }
    return std::nullopt;
  }
  // Whether a limit was reached. Looks at the limits in some of the calls.
  bool stopped();

  // Reads everything but the layers. Returns false after a failure or at a limit.
  bool read_texts();
  // Compares the checksum of a file with the one of the manifest.
  void check_file(Part part, std::size_t layer, std::uint64_t expected);
  base::Result<dd::Diagram> read(Part part, std::size_t layer) const;

  // Returns what was found, or the limit that was reached. To be called once, at the end.
  base::Result<Verification> finish();

  const SolutionFolder& folder_;
  const VerifyOptions& options_;
  base::Random random_;
  Manifest manifest_;
  Description description_;
  std::optional<StateCode> code_;
  std::vector<machine::State> fixed_;  // by layer
  std::shared_ptr<const machine::Machine> machine_;
  std::optional<machine::Stepper> stepper_;
  Verification result_;
  std::optional<base::ErrorKind> limit_;

 private:
  std::uint64_t steps_ = 0;
};

}  // namespace zermelo::solve

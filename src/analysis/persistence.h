// Persistent fluents: once they hold, they hold forever; or once they do not, they never do.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "base/limits.h"
#include "machine/machine.h"

namespace zermelo::analysis {

struct Persistence {
  std::vector<bool> stays_true;   // by fluent: if it holds, it holds after every further move
  std::vector<bool> stays_false;  // by fluent: if it fails, it fails after every further move
  bool finished = false;          // false: stopped at a limit; other fluents may be persistent
};

struct PersistenceOptions {
  std::chrono::duration<double> seconds{2};
  base::Limits limits = {};
  std::uint64_t seed = 1;
};

// Decides which of the fluents are proved to be persistent. At a limit, returns the proofs so far.
Persistence find_persistent_fluents(const std::shared_ptr<const machine::Machine>& machine,
                                    std::span<const ground::Atom> fluents,
                                    const PersistenceOptions& options = {});

}  // namespace zermelo::analysis

// Proofs that of some sets of fluents at most one holds in every reachable state.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "machine/machine.h"

namespace zermelo::analysis {

// By set: whether it is proved. At a limit, proofs may be missing.
std::vector<bool> prove_exclusive(const std::shared_ptr<const machine::Machine>& machine,
                                  const std::vector<std::vector<ground::Atom>>& sets,
                                  std::chrono::duration<double> seconds,
                                  const base::Limits& limits = {});

}  // namespace zermelo::analysis

// Checking a stored solution against the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/context.h"
#include "base/result.h"
#include "solve/verify/verify.h"

namespace zermelo::app {

struct VerifyRequest {
  std::string folder = {};
  // The approximate number of states to check. nullopt: all states of a small solution, a sample of
  // a large one.
  std::optional<std::uint64_t> sample = {};
  std::uint64_t seed = 1;
  ResourceLimits limits = {};
};

using VerifyResult = solve::Verification;

// A wrong or damaged solution is a result that is not ok(). Fails with unreadable_input if there is
// no finished solution, and with the limit that was reached.
base::Result<VerifyResult> verify(const VerifyRequest& request, const Context& context = {});

}  // namespace zermelo::app

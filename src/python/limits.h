// Limits as Python gives them.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "app/context.h"

namespace zermelo::python {

struct Limits {
  std::optional<double> seconds = {};
  std::optional<std::size_t> bytes = {};

  app::ResourceLimits resources() const {
    app::ResourceLimits limits;
    limits.memory_bytes = bytes;
    if (seconds) limits.time = std::chrono::duration<double>(*seconds);
    return limits;
  }
};

}  // namespace zermelo::python

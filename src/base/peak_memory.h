// The most memory this process has had.
#pragma once

#include <cstdint>

namespace zermelo::base {

std::uint64_t peak_resident_bytes();

}  // namespace zermelo::base

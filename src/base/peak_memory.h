// The peak resident memory of this process.
#pragma once

#include <cstdint>

namespace zermelo::base {

std::uint64_t peak_resident_bytes();

}  // namespace zermelo::base

// Which rank a state belongs to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace zermelo::cluster {

// Returns the rank for a hash of a state. Independent of the highest and lowest bits of the hash
// alone, by which tables distribute their states.
inline std::size_t owner_of(std::uint64_t hash, std::size_t ranks) {
  const std::uint64_t mixed = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u >> 32;
  return static_cast<std::size_t>(mixed * ranks >> 32);
}

}  // namespace zermelo::cluster

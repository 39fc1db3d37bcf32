#include "eval/bit_planes.h"

#include <algorithm>

namespace zermelo::eval {
namespace {

constexpr std::array<std::uint64_t, 256> make_spread_table() {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      table[byte] |= static_cast<std::uint64_t>(byte >> bit & 1) << 8 * bit;
    }
  }
  return table;
}

constexpr std::array<std::uint64_t, 256> spread_table = make_spread_table();

}  // namespace

std::uint64_t spread_byte(std::uint8_t bits) { return spread_table[bits]; }

// Swaps blocks of half the size until they are single bits (Warren, "Hacker's Delight", 7-3).
void transpose(std::array<std::uint64_t, 64>& rows) {
  std::uint64_t mask = 0x00000000ffffffffu;
  for (std::size_t width = 32; width != 0; width /= 2, mask ^= mask << width) {
    for (std::size_t row = 0; row < 64; row = (row + width + 1) & ~width) {
      const std::uint64_t swapped = (rows[row] >> width ^ rows[row + width]) & mask;
      rows[row] ^= swapped << width;
      rows[row + width] ^= swapped;
    }
  }
}

void BitPlanes::load(std::span<const machine::State> states, std::size_t planes) {
  constexpr std::size_t few = 4;
  states_ = states.size();
  const std::size_t words = states.empty() ? 0 : states.front().words().size();
  planes_.resize(std::max(planes, 64 * words));
  if (states_ <= few) {
    std::fill(planes_.begin(), planes_.begin() + static_cast<std::ptrdiff_t>(64 * words), 0);
    for (std::size_t s = 0; s < states_; ++s) {
      states[s].for_each([&](std::size_t fluent) { planes_[fluent] |= std::uint64_t{1} << s; });
    }
    return;
  }
  std::array<std::uint64_t, 64> rows;
  for (std::size_t word = 0; word < words; ++word) {
    for (std::size_t s = 0; s < 64; ++s) rows[s] = s < states_ ? states[s].words()[word] : 0;
    transpose(rows);
    std::copy(rows.begin(), rows.end(), planes_.begin() + static_cast<std::ptrdiff_t>(64 * word));
  }
}

}  // namespace zermelo::eval

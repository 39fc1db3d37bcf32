// Up to 64 states, proposition by proposition: bit s of a plane says whether it holds in state s.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/machine.h"

namespace zermelo::eval {

inline constexpr std::size_t states_per_block = 64;

// The planes of the fluents, and room for those of other propositions after them.
class BitPlanes {
 public:
  // At most 64 states of the same game. Sets the first planes, those of the fluents, and makes
  // sure that there are `planes` of them. Bits of missing states are 0.
  void load(std::span<const machine::State> states, std::size_t planes);

  std::uint64_t operator[](std::size_t plane) const { return planes_[plane]; }
  std::uint64_t& operator[](std::size_t plane) { return planes_[plane]; }
  std::size_t states() const { return states_; }
  // One bit per state.
  std::uint64_t all() const {
    return states_ == states_per_block ? ~std::uint64_t{0} : (std::uint64_t{1} << states_) - 1;
  }

 private:
  std::vector<std::uint64_t> planes_;
  std::size_t states_ = 0;
};

// Transposes a matrix of 64 x 64 bits in place.
void transpose(std::array<std::uint64_t, 64>& rows);

// The bits of a byte as eight bytes, the lowest first.
std::uint64_t spread_byte(std::uint8_t bits);

}  // namespace zermelo::eval

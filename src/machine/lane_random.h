// Random bits for all lanes, and uniform numbers below a bound that differs from lane to lane.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/random.h"
#include "machine/lane_executor.h"

namespace zermelo::machine {

// Four xoshiro256++ generators (Blackman and Vigna) side by side.
class LaneRandom {
 public:
  explicit LaneRandom(std::uint64_t seed) {
    base::Random source(seed);
    for (Lanes& word : state_) {
      for (std::size_t i = 0; i < lane_words; ++i) word[i] = source.next();
    }
  }

  // Inlined always: baseline and vector code return vectors in different places.
  [[gnu::always_inline]] Lanes next() {
    const Lanes result = rotate<23>(state_[0] + state_[3]) + state_[0];
    const Lanes shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate<45>(state_[3]);
    return result;
  }

 private:
  template <int K>
  [[gnu::always_inline]] static Lanes rotate(const Lanes& x) {
    return (x << K) | (x >> (64 - K));
  }

  std::array<Lanes, 4> state_;
};

inline bool any(const Lanes& lanes) { return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0; }

// How many lanes are set. The bits of all words are counted side by side, which needs no
// instruction that a baseline processor lacks.
inline std::uint64_t population(const Lanes& lanes) {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  Lanes sums = lanes - ((lanes >> 1) & (ones / 3));
  sums = (sums & (ones / 5)) + ((sums >> 2) & (ones / 5));
  sums = (sums + (sums >> 4)) & (ones / 17);
  const auto sum_of_bytes = [](std::uint64_t bytes) { return bytes * (ones / 255) >> 56; };
  return sum_of_bytes(sums[0] + sums[1]) + sum_of_bytes(sums[2] + sums[3]);
}

}  // namespace zermelo::machine

// Random bits for all lanes, and tests and counts of set lanes.
#pragma once

#include <array>
#include <bit>

#include "base/random.h"
#include "lanes/lane_executor.h"

namespace zermelo::lanes {

// Four xoshiro256++ generators (Blackman and Vigna) side by side.
class LaneRandom {
 public:
  explicit LaneRandom(std::uint64_t seed) {
    base::Random source(seed);
    for (Lanes& word : state_) {
      for (std::size_t i = 0; i < lane_words; ++i) word[i] = source.next();
    }
  }

  // Always inlined: baseline and vector code have different calling conventions for vectors.
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

[[gnu::always_inline]] inline bool any(const Lanes& lanes) {
  return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0;
}

[[gnu::always_inline]] inline std::uint64_t population(const Lanes& lanes) {
  const int low = std::popcount(lanes[0]) + std::popcount(lanes[1]);
  const int high = std::popcount(lanes[2]) + std::popcount(lanes[3]);
  return static_cast<std::uint64_t>(low + high);
}

}  // namespace zermelo::lanes

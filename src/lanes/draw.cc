#include "lanes/draw.h"

namespace zermelo::lanes {

namespace {

constexpr std::size_t max_bits = 32;

// A number for every lane, least significant bit first.
struct LaneNumber {
  Lanes last[max_bits];  // the largest allowed
  Lanes mask[max_bits];  // the bits up to the highest of `last`
  Lanes bits[max_bits];
};

// Draws random bits within the masks, and again in the lanes whose number is too large, so that all
// allowed numbers are equally likely. New bits may be added to the old ones by xor: the sum is
// uniform as well.
[[gnu::always_inline]] inline void draw_bits(LaneNumber& number, std::size_t size,
                                             LaneRandom& generator) {
  LaneRandom random = generator;
  Lanes missing = number.mask[0];
  while (any(missing)) {
    Lanes above{};
    for (std::size_t i = 0; i < size; ++i) {
      const Lanes last = number.last[i];
      const Lanes bit = number.bits[i] ^ (random.next() & number.mask[i] & missing);
      above = (bit & ~last) | (above & ~(bit ^ last));
      number.bits[i] = bit;
    }
    missing = above;
  }
  generator = random;
}

}  // namespace

ZERMELO_LANE_CODE void draw_numbers(const Draw& draw, LaneRandom& random, Lanes& trace,
                                    Lanes* frame) {
  LaneNumber number;
  const std::size_t size = draw.count.size();
  Lanes borrow = all_lanes, possible{};
  for (std::size_t i = 0; i < size; ++i) {
    const Lanes count = frame[draw.count[i]];
    possible |= count;
    number.last[i] = count ^ borrow;
    borrow &= ~count;
    number.bits[i] = Lanes{};
  }
  Lanes seen{};
  std::size_t needed = 0;
  for (std::size_t i = size; i-- > 0;) {
    number.last[i] &= possible;
    seen |= number.last[i];
    number.mask[i] = seen;
    if (needed == 0 && any(seen)) needed = i + 1;
  }
  draw_bits(number, needed, random);
  for (std::size_t i = 0; i < draw.number.size(); ++i) {
    frame[draw.number[i]] = number.bits[i];
    trace = (trace << 7 | trace >> 57) ^ number.bits[i];
  }
  frame[draw.possible] = possible;
}

}  // namespace zermelo::lanes

#include "lanes/transpose.h"

namespace zermelo::lanes {

// Exchanges ever smaller quarters (Warren, "Hacker's Delight", 7-3).
ZERMELO_LANE_CODE void transpose(Lanes* rows) {
  std::uint64_t low = 0xffffffff;
  for (unsigned half = 32; half != 0; half /= 2, low ^= low << half) {
    for (unsigned row = 0; row < 64; row = (row + half + 1) & ~half) {
      const Lanes exchanged = (rows[row] >> half ^ rows[row + half]) & low;
      rows[row] ^= exchanged << half;
      rows[row + half] ^= exchanged;
    }
  }
}

}  // namespace zermelo::lanes

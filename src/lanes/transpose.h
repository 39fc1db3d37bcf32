// Blocks of bits transposed: from one word per game to one word per proposition, and back.
#pragma once

#include "lanes/lane_executor.h"

namespace zermelo::lanes {

// Transposes four blocks of 64 rows of 64 bits at once: in each of them, bit j of row i becomes bit
// i of row j. Element k of rows[i] is row i of block k.
void transpose(Lanes* rows);

}  // namespace zermelo::lanes

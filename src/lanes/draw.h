// Uniform random numbers below a count, in all lanes at once.
#pragma once

#include <vector>

#include "lanes/lane_executor.h"
#include "lanes/lane_program.h"
#include "lanes/lane_random.h"

namespace zermelo::lanes {

// A number to be drawn in every lane, uniformly below `count`, into `number`; both with the least
// significant bit first. `possible` is set in lanes whose count is not zero.
struct Draw {
  std::vector<Slot> count;
  std::vector<Slot> number;
  Slot possible;
};

// Draws in every lane of the frame and mixes the numbers into `trace`.
void draw_numbers(const Draw& draw, LaneRandom& random, Lanes& trace, Lanes* frame);

}  // namespace zermelo::lanes

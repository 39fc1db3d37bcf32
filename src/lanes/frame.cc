#include "lanes/frame.h"

#include <cstring>

namespace zermelo::lanes {

// Rounded up to whole cache lines.
Frame::Frame(std::size_t lanes)
    : lanes_(static_cast<Lanes*>(::operator new((lanes + lanes % 2) * sizeof(Lanes), alignment))) {
  std::memset(static_cast<void*>(lanes_), 0, lanes * sizeof(Lanes));
}

Frame::Frame(const SlotMap& slots) : Frame(std::size_t{slots.slots}) {
  lanes_[slots.slot_of[ones_value]] = all_lanes;
}

}  // namespace zermelo::lanes

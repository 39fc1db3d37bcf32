#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "lanes/lane_executor.h"
#include "lanes/lane_program.h"

namespace zermelo::lanes {

// The memory of a running program, with its constants set.
class Frame {
 public:
  explicit Frame(std::size_t lanes);
  explicit Frame(const SlotMap& slots);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  Frame(Frame&& other) noexcept : lanes_(std::exchange(other.lanes_, nullptr)) {}
  ~Frame() { ::operator delete(lanes_, alignment); }

  Lanes& operator[](Slot slot) { return lanes_[slot]; }
  const Lanes& operator[](Slot slot) const { return lanes_[slot]; }
  Lanes* data() { return lanes_; }
  const Lanes* data() const { return lanes_; }

 private:
  static constexpr std::align_val_t alignment{64};
  Lanes* lanes_;
};

}  // namespace zermelo::lanes

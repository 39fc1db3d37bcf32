// Tuples of numbers, numbered in the order in which they are first seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace zermelo::know {

class TupleTable {
 public:
  // All tuples have this many numbers.
  explicit TupleTable(std::size_t width);

  // Returns the number of a tuple, and whether it is new.
  std::pair<std::uint32_t, bool> add(std::span<const std::uint32_t> tuple);
  // Valid until the next add.
  std::span<const std::uint32_t> operator[](std::uint32_t number) const {
    return {values_.data() + number * width_, width_};
  }
  std::size_t size() const { return size_; }

 private:
  std::size_t slot_of(std::span<const std::uint32_t> tuple) const;
  void grow();

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> values_;  // of all tuples, by number
  std::vector<std::uint32_t> slots_;   // open addressing; 1 + number, or 0
};

}  // namespace zermelo::know

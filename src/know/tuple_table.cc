#include "know/tuple_table.h"

#include <algorithm>

namespace zermelo::know {

TupleTable::TupleTable(std::size_t width) : width_(width), slots_(16) {}

std::pair<std::uint32_t, bool> TupleTable::add(std::span<const std::uint32_t> tuple) {
  if (2 * (size_ + 1) > slots_.size()) grow();
  std::uint32_t& slot = slots_[slot_of(tuple)];
  if (slot != 0) return {slot - 1, false};
  slot = static_cast<std::uint32_t>(++size_);
  values_.insert(values_.end(), tuple.begin(), tuple.end());
  return {slot - 1, true};
}

// The slot of the tuple, or the free slot where it belongs.
std::size_t TupleTable::slot_of(std::span<const std::uint32_t> tuple) const {
  std::uint64_t hash = 0;
  for (const std::uint32_t value : tuple) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0 && !std::ranges::equal((*this)[slots_[slot] - 1], tuple)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void TupleTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::uint32_t number = 0; number < size_; ++number) {
    slots_[slot_of((*this)[number])] = number + 1;
  }
}

}  // namespace zermelo::know

#include "solve/explicit/state_table.h"

#include <algorithm>
#include <cassert>

namespace zermelo::solve {

std::uint64_t StateTable::hash(Words state) {
  std::uint64_t h = 0;
  for (const std::uint64_t word : state) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return h;
}

std::size_t StateTable::slot_of(Words state, std::uint64_t hash) const {
  std::size_t slot = candidate(hash, hash);
  while (slots_[slot] != free_slot) {
    const Words other = (*this)[slots_[slot] & mask()];
    if (std::equal(state.begin(), state.end(), other.begin())) return slot;
    slot = candidate(hash, slot + 1);
  }
  return slot;
}

StateIndex StateTable::insert(Words state, std::uint64_t hash) {
  assert(state.size() == words_per_state_ && size_ < max_states);
  const std::size_t slot = slot_of(state, hash);
  if (slots_[slot] != free_slot) return slots_[slot] & mask();
  slots_[slot] = content(hash, size_);
  append(state);
  if (size_ > slots_.size() / 4 * 3) grow();
  return size_ - 1;
}

std::optional<StateIndex> StateTable::find(Words state) const {
  if (state.size() != words_per_state_) return std::nullopt;
  const std::size_t slot = slot_of(state, hash(state));
  if (slots_[slot] == free_slot) return std::nullopt;
  return slots_[slot] & mask();
}

void StateTable::append(Words state) {
  if (size_ % block_size == 0) {
    blocks_.push_back(std::make_unique<std::uint64_t[]>(block_size * words_per_state_));
  }
  std::uint64_t* begin = blocks_.back().get() + size_ % block_size * words_per_state_;
  std::copy(state.begin(), state.end(), begin);
  ++size_;
}

void StateTable::grow() {
  const std::size_t doubled = slots_.size() * 2;
  slots_.clear();
  slots_.shrink_to_fit();
  slots_.assign(doubled, free_slot);
  for (StateIndex i = 0; i < size_; ++i) {
    const std::uint64_t of_state = hash((*this)[i]);
    std::size_t slot = of_state & mask();
    while (slots_[slot] != free_slot) slot = (slot + 1) & mask();
    slots_[slot] = content(of_state, i);
  }
}

}  // namespace zermelo::solve

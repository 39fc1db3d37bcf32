// All states found so far, packed one after another and numbered in the order of insertion.
//
// All states have the same number of words. They are stored in blocks that never move, and are
// found by open addressing over their numbers, so a state takes its words and about eight bytes.
// The numbers need fewer bits than a slot has; the remaining bits hold a part of the hash, so that
// different states are rarely compared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace zermelo::solve {

using StateIndex = std::uint32_t;

class StateTable {
 public:
  using Words = std::span<const std::uint64_t>;

  // The capacity.
  static constexpr StateIndex max_states = ~StateIndex{0} - 1;

  static std::uint64_t hash(Words state);

  explicit StateTable(std::size_t words_per_state) : words_per_state_(words_per_state) {}

  StateIndex size() const { return size_; }
  // Valid as long as the table exists.
  Words operator[](StateIndex state) const {
    return {blocks_[state / block_size].get() + state % block_size * words_per_state_,
            words_per_state_};
  }
  // Returns the number of the state; adds it if it is missing. size() must be below max_states.
  StateIndex insert(Words state) { return insert(state, hash(state)); }
  // The same with a known hash. To hide memory latency, call prefetch_slot, later prefetch_state,
  // and later this.
  StateIndex insert(Words state, std::uint64_t hash);
  void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }
  void prefetch_state(std::uint64_t hash) const {
    const StateIndex found = slots_[candidate(hash, hash)];
    if (found != free_slot) __builtin_prefetch((*this)[found & mask()].data());
  }
  std::optional<StateIndex> find(Words state) const;

 private:
  static constexpr StateIndex block_size = 1 << 12;
  static constexpr StateIndex free_slot = ~StateIndex{0};

  std::size_t mask() const { return slots_.size() - 1; }
  StateIndex content(std::uint64_t hash, StateIndex state) const {
    return static_cast<StateIndex>((hash & ~mask()) | state);
  }
  // The first slot from `from` on that is free or may hold a state with this hash.
  std::size_t candidate(std::uint64_t hash, std::size_t from) const {
    const auto differs = [&](StateIndex found) {
      return found != free_slot && (static_cast<StateIndex>(found ^ hash) & ~mask()) != 0;
    };
    std::size_t slot = from & mask();
    while (differs(slots_[slot])) slot = (slot + 1) & mask();
    return slot;
  }
  // The slot of the state, or the free slot for it.
  std::size_t slot_of(Words state, std::uint64_t hash) const;
  void append(Words state);
  void grow();

  std::size_t words_per_state_;
  StateIndex size_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  std::vector<StateIndex> slots_ = std::vector<StateIndex>(1024, free_slot);  // a power of two
};

}  // namespace zermelo::solve

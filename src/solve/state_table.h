// All states found so far, packed one after another and numbered in the order they were found.
//
// States of a game have the same number of words. They are kept in blocks that never move, and are
// found by open addressing over their numbers, so a state costs its words and about eight bytes.
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

  // More states than this have no number.
  static constexpr StateIndex max_states = ~StateIndex{0} - 1;

  static std::uint64_t hash(Words state);

  explicit StateTable(std::size_t words_per_state) : words_per_state_(words_per_state) {}

  StateIndex size() const { return size_; }
  // Valid as long as the table.
  Words operator[](StateIndex state) const {
    return {blocks_[state / block_size].get() + state % block_size * words_per_state_,
            words_per_state_};
  }
  // The number of the state, a new one if it is not there; size() must be below max_states.
  StateIndex insert(Words state) { return insert(state, hash(state)); }
  // The same where the hash is known already; `prefetch` some time before makes it quicker.
  StateIndex insert(Words state, std::uint64_t hash);
  void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  std::optional<StateIndex> find(Words state) const;

 private:
  static constexpr StateIndex block_size = 1 << 12;
  static constexpr StateIndex free_slot = ~StateIndex{0};

  std::size_t slot_of(Words state, std::uint64_t hash) const;
  void append(Words state);
  void grow();

  std::size_t words_per_state_;
  StateIndex size_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  std::vector<StateIndex> slots_ = std::vector<StateIndex>(1024, free_slot);  // a power of two
};

}  // namespace zermelo::solve

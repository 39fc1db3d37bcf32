// A set of small integers as bits. Its size is fixed at construction.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::base {

class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t size) : words_((size + 63) / 64) {}

  bool test(std::size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

  // Both sets must have the same size.
  BitSet& operator|=(const BitSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  BitSet& operator&=(const BitSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
    return *this;
  }

  std::size_t count() const {
    std::size_t total = 0;
    for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
    return total;
  }

  // Calls visit(i) for every member in ascending order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

  std::size_t hash() const {
    std::uint64_t h = 0;
    for (const std::uint64_t word : words_) {
      h = (h ^ word) * 0x9e3779b97f4a7c15u;
      h ^= h >> 32;
    }
    return h;
  }

  // Member i is bit i % 64 of word i / 64; bits beyond the size are 0.
  std::span<const std::uint64_t> words() const { return words_; }
  std::span<std::uint64_t> words() { return words_; }

  auto operator<=>(const BitSet&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace zermelo::base

template <>
struct std::hash<zermelo::base::BitSet> {
  std::size_t operator()(const zermelo::base::BitSet& set) const { return set.hash(); }
};

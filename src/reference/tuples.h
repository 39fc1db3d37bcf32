// A set of tuples of terms in the order they were added, with indexes made when first asked for.
#pragma once

#include <cstdint>
#include <forward_list>
#include <span>
#include <vector>

#include "reference/terms.h"

namespace zermelo::reference {

// Bit i: argument i is given. Arguments beyond the 64th are never given, only compared afterwards.
using ArgumentMask = std::uint64_t;

class TupleSet {
 public:
  static constexpr std::uint32_t end = ~std::uint32_t{0};

  explicit TupleSet(std::size_t arity = 0) : arity_(arity) {}

  std::uint32_t size() const { return count_; }
  std::span<const TermId> operator[](std::uint32_t i) const {
    return {terms_.data() + i * arity_, arity_};
  }

  // False when the tuple was there already.
  bool insert(std::span<const TermId> tuple);
  // Empties the set and gives it a new arity.
  void reset(std::size_t arity);

  // The tuples of equal hash over the masked arguments, as a chain; `key` is a tuple of which only
  // the masked arguments matter. A chain may hold tuples that differ: the caller compares.
  class Index {
   public:
    std::uint32_t first(std::span<const TermId> key) const;
    std::uint32_t next(std::uint32_t i) const { return next_[i]; }

   private:
    friend class TupleSet;
    ArgumentMask mask_ = 0;
    std::uint32_t built_ = 0;  // tuples it covers
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> next_;
  };
  // Valid until the next insertion or reset; asking for another index keeps it.
  const Index& index(ArgumentMask mask);

 private:
  std::uint32_t find(std::span<const TermId> tuple, std::uint64_t hash) const;
  void rehash();
  void build(Index& index) const;

  std::size_t arity_;
  std::uint32_t count_ = 0;
  std::vector<TermId> terms_;
  std::vector<std::uint32_t> slots_;  // of all tuples, once there are more than a few
  std::forward_list<Index> indexes_;  // stable addresses
};

}  // namespace zermelo::reference

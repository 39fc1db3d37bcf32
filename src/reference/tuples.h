// A set of tuples of terms in insertion order. Indexes are created on first use.
#pragma once

#include <cstdint>
#include <forward_list>
#include <span>
#include <vector>

#include "reference/terms.h"

namespace zermelo::reference {

// Bit i is set if argument i is given. Arguments after the 64th are never given; they are compared
// afterwards.
using ArgumentMask = std::uint64_t;

class TupleSet {
 public:
  static constexpr std::uint32_t end = ~std::uint32_t{0};

  explicit TupleSet(std::size_t arity = 0) : arity_(arity) {}

  std::uint32_t size() const { return count_; }
  std::span<const TermId> operator[](std::uint32_t i) const {
    return {terms_.data() + i * arity_, arity_};
  }

  // Returns false if the tuple is already in the set.
  bool insert(std::span<const TermId> tuple);
  // Empties the set and gives it a new arity.
  void reset(std::size_t arity);

  // Chains of tuples with equal hashes over the masked arguments. `key` is a tuple of which only
  // the masked arguments are used. A chain may contain tuples with another key: the caller
  // compares.
  class Index {
   public:
    std::uint32_t first(std::span<const TermId> key) const;
    std::uint32_t next(std::uint32_t i) const { return next_[i]; }

   private:
    friend class TupleSet;
    ArgumentMask mask_ = 0;
    std::uint32_t built_ = 0;  // number of tuples covered
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> next_;
  };
  // Valid until the next insertion or reset; requests for other indexes do not invalidate it.
  const Index& index(ArgumentMask mask);

 private:
  std::uint32_t find(std::span<const TermId> tuple, std::uint64_t hash) const;
  void rehash();
  void build(Index& index) const;

  std::size_t arity_;
  std::uint32_t count_ = 0;
  std::vector<TermId> terms_;
  std::vector<std::uint32_t> slots_;  // hash table of all tuples, if there are more than a few
  std::forward_list<Index> indexes_;  // stable addresses
};

}  // namespace zermelo::reference

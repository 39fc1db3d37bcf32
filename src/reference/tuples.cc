#include "reference/tuples.h"

#include <algorithm>
#include <bit>

namespace zermelo::reference {

namespace {

constexpr std::uint32_t scanned_without_hashing = 8;

std::uint64_t masked_hash(std::span<const TermId> key, ArgumentMask mask) {
  std::uint64_t hash = 0;
  for (ArgumentMask rest = mask; rest != 0; rest &= rest - 1) {
    hash = mix_hash(hash, key[static_cast<std::size_t>(std::countr_zero(rest))]);
  }
  return hash;
}

}  // namespace

bool TupleSet::insert(std::span<const TermId> tuple) {
  if (arity_ == 0) return count_ == 0 ? ++count_ : false;
  const std::uint64_t hash = hash_terms(0, tuple);
  if (find(tuple, hash) != end) return false;
  terms_.insert(terms_.end(), tuple.begin(), tuple.end());
  ++count_;
  if (count_ > scanned_without_hashing) {
    if (count_ * 2 > slots_.size()) {
      rehash();
    } else {
      std::size_t slot = hash & (slots_.size() - 1);
      while (slots_[slot] != end) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = count_ - 1;
    }
  }
  return true;
}

void TupleSet::reset(std::size_t arity) {
  arity_ = arity;
  count_ = 0;
  terms_.clear();
  slots_.clear();
  for (Index& index : indexes_) index.heads_.clear();
}

std::uint32_t TupleSet::find(std::span<const TermId> tuple, std::uint64_t hash) const {
  const auto same = [&](std::uint32_t i) {
    return std::equal(tuple.begin(), tuple.end(), terms_.begin() + i * arity_);
  };
  if (slots_.empty()) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (same(i)) return i;
    }
    return end;
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask; slots_[slot] != end; slot = (slot + 1) & mask) {
    if (same(slots_[slot])) return slots_[slot];
  }
  return end;
}

void TupleSet::rehash() {
  slots_.assign(std::bit_ceil(std::size_t{count_} * 4), end);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::size_t slot = hash_terms(0, (*this)[i]) & mask;
    while (slots_[slot] != end) slot = (slot + 1) & mask;
    slots_[slot] = i;
  }
}

const TupleSet::Index& TupleSet::index(ArgumentMask mask) {
  auto found = std::find_if(indexes_.begin(), indexes_.end(),
                            [&](const Index& index) { return index.mask_ == mask; });
  if (found == indexes_.end()) {
    indexes_.emplace_front().mask_ = mask;
    found = indexes_.begin();
  }
  if (found->built_ != count_ || found->heads_.empty()) build(*found);
  return *found;
}

void TupleSet::build(Index& index) const {
  index.heads_.assign(index.mask_ == 0 ? 1 : std::bit_ceil(std::size_t{count_} + 1), end);
  index.next_.resize(count_);
  index.built_ = count_;
  for (std::uint32_t i = count_; i-- > 0;) {
    std::uint32_t& head =
        index.heads_[masked_hash((*this)[i], index.mask_) & (index.heads_.size() - 1)];
    index.next_[i] = head;
    head = i;
  }
}

std::uint32_t TupleSet::Index::first(std::span<const TermId> key) const {
  return heads_[masked_hash(key, mask_) & (heads_.size() - 1)];
}

}  // namespace zermelo::reference

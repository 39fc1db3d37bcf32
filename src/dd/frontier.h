// The tuples of one shard of a level: stored contiguously in the order of insertion, found by open
// addressing. A tuple is a sequence of words after a short header, so that a lookup accesses one
// slot and usually one cache line of tuples.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "dd/codes.h"
#include "dd/word_buffer.h"

namespace zermelo::dd {

template <class Word, bool counted>
class alignas(cache_lines) FrontierShard {
 public:
  struct Header {
    NodeId place;
    std::uint32_t length;
  };
  struct Tuple {
    const Word* words;
    std::uint32_t length;
    std::uint64_t multiplicity;  // number of paths that lead to it; 1 if they are not counted
  };

  // Clears the shard and reserves for `expected` tuples; `rows` tuples form a chunk.
  void reset(std::size_t expected, std::size_t rows) {
    words_.clear();
    chunk_starts_.clear();
    count_ = 0;
    rows_ = rows;
    std::size_t slots = 64;
    while (slots < expected * 2) slots *= 2;
    slots_.assign(slots, 0);
  }

  std::size_t size() const { return count_; }
  std::size_t chunks() const { return chunk_starts_.size(); }
  std::size_t bytes() const {
    return words_.capacity() * sizeof(Word) + slots_.capacity() * sizeof(slots_[0]);
  }
  const WordBuffer<Word>& words() const { return words_; }
  const std::vector<std::size_t>& chunk_starts() const { return chunk_starts_; }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[slot_of(hash)]); }
  void prefetch_tuple(std::uint64_t hash) const {
    const std::uint64_t slot = slots_[slot_of(hash)];
    if (slot != 0) __builtin_prefetch(&words_[(slot & offset_mask) - 1]);
  }

  // Returns the index of a tuple, which is added if it is new.
  NodeId find_or_add(const Word* tuple, std::uint32_t length, std::uint64_t hash,
                     std::uint64_t multiplicity) {
    const std::uint64_t tag = hash & ~offset_mask;
    std::size_t at = slot_of(hash);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if ((slots_[at] & ~offset_mask) != tag) continue;
      Word* found = &words_[(slots_[at] & offset_mask) - 1];
      const Header header = header_at(found);
      if (header.length != length || !equal(found + header_words, tuple, length)) continue;
      if constexpr (counted) add_multiplicity(found, multiplicity);
      return header.place;
    }
    slots_[at] = tag | (words_.size() + 1);
    append(tuple, length, multiplicity);
    if (++count_ * 2 > slots_.size()) grow();
    return static_cast<NodeId>(count_ - 1);
  }

  // Reads the tuple at `words` and advances the pointer behind it.
  static Tuple next(const Word*& words) {
    const Header header = header_at(words);
    std::uint64_t multiplicity = 1;
    if constexpr (counted) std::memcpy(&multiplicity, words + header_only, sizeof multiplicity);
    const Tuple tuple{words + header_words, header.length, multiplicity};
    words += header_words + header.length;
    return tuple;
  }

 private:
  static constexpr std::uint64_t offset_mask = (std::uint64_t{1} << 40) - 1;
  static constexpr std::size_t header_only = sizeof(Header) / sizeof(Word);
  static constexpr std::size_t header_words =
      header_only + (counted ? sizeof(std::uint64_t) / sizeof(Word) : 0);

  // The highest bits of the hash are the tag; the lowest selected the shard.
  std::size_t slot_of(std::uint64_t hash) const { return (hash >> 6) & (slots_.size() - 1); }

  static Header header_at(const Word* words) {
    Header header;
    std::memcpy(&header, words, sizeof header);
    return header;
  }

  static bool equal(const Word* a, const Word* b, std::uint32_t length) {
    for (std::uint32_t i = 0; i < length; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  static void add_multiplicity(Word* tuple, std::uint64_t multiplicity) {
    std::uint64_t sum;
    std::memcpy(&sum, tuple + header_only, sizeof sum);
    sum += multiplicity;
    std::memcpy(tuple + header_only, &sum, sizeof sum);
  }

  void append(const Word* tuple, std::uint32_t length, std::uint64_t multiplicity) {
    if (count_ % rows_ == 0) chunk_starts_.push_back(words_.size());
    const Header header{static_cast<NodeId>(count_), length};
    Word front[header_words];
    std::memcpy(front, &header, sizeof header);
    if constexpr (counted) std::memcpy(front + header_only, &multiplicity, sizeof multiplicity);
    words_.append(front, header_words);
    words_.append(tuple, length);
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    const Word* const begin = words_.data();
    for (const Word* at = begin; at != begin + words_.size();) {
      const auto offset = static_cast<std::uint64_t>(at - begin);
      const Tuple tuple = next(at);
      const std::uint64_t hash = hash_words(tuple.words, tuple.length);
      std::size_t slot = slot_of(hash);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = (hash & ~offset_mask) | (offset + 1);
    }
  }

  WordBuffer<Word> words_;
  std::vector<std::size_t> chunk_starts_;  // in words_, of every rows_-th tuple
  std::vector<std::uint64_t> slots_;       // 0, or part of the hash above the offset in words_ + 1
  std::size_t count_ = 0;
  std::size_t rows_ = 1;
};

}  // namespace zermelo::dd

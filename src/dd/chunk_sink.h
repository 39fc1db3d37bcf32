// The output of the expansion of a few consecutive rows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dd/codes.h"
#include "dd/frontier.h"
#include "dd/word_buffer.h"

namespace zermelo::dd {

// Tuples for one shard of the next level, in order.
template <class Word>
struct TupleBatch {
  struct Entry {
    std::uint64_t hash;
    std::uint64_t multiplicity;
    std::uint32_t position;  // of its code in the chunk
    std::uint32_t length;
  };
  std::vector<Entry> entries;
  WordBuffer<Word> words;
  std::vector<NodeId> places;  // by entry, once delivered

  std::size_t bytes() const { return entries.size() * sizeof(Entry) + words.size() * sizeof(Word); }
  void clear() {
    entries.clear();
    words.clear();
    places.clear();
  }

  // Adds the tuples to the shard, and appends their indices to `to_places`.
  template <class Shard>
  void deliver(Shard& to, std::vector<NodeId>& to_places) const {
    constexpr std::size_t far = 12, near = 6;
    const Word* tuple = words.data();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i + far < entries.size()) to.prefetch(entries[i + far].hash);
      if (i + near < entries.size()) to.prefetch_tuple(entries[i + near].hash);
      const Entry& entry = entries[i];
      to_places.push_back(to.find_or_add(tuple, entry.length, entry.hash, entry.multiplicity));
      tuple += entry.length;
    }
  }
};

// The children of a chunk of rows, and the tuples among them by shard of the next level.
template <class Word, bool counted>
class alignas(cache_lines) ChunkSink {
 public:
  using Batch = TupleBatch<Word>;

  void begin(Sharding sharding, std::size_t rows, Value values, std::size_t longest) {
    sharding_ = sharding;
    values_ = values;
    longest_ = longest;
    codes_.clear();
    codes_.reserve(rows * values);
    batches_.resize(sharding.shards());
    for (Batch& batch : batches_) batch.clear();
  }

  void begin_row(std::uint64_t multiplicity) { multiplicity_ = multiplicity; }
  void constant(NodeId value) { codes_.push_back(value); }
  void same_tuple(const Word* words, std::size_t length) {
    codes_.push_back(same_for_all);
    multiplicity_ *= values_;
    tuple(words, length);
  }
  void tuple(const Word* words, std::size_t length) {
    if (length > longest_) too_long_ = true;
    const std::uint64_t hash = hash_words(words, length);
    Batch& batch = batches_[sharding_.shard_of(hash)];
    batch.entries.push_back({hash, multiplicity_, static_cast<std::uint32_t>(codes_.size()),
                             static_cast<std::uint32_t>(length)});
    batch.words.append(words, length);
    codes_.push_back(sharding_.code(sharding_.shard_of(hash), 0));
  }

  bool too_long() const { return too_long_; }
  std::vector<NodeId> take_codes() { return std::move(codes_); }

  const Batch& batch(std::size_t shard) const { return batches_[shard]; }

  // Adds the tuples for a shard to it and stores their indices.
  void deliver(std::size_t shard, FrontierShard<Word, counted>& to) {
    batches_[shard].deliver(to, batches_[shard].places);
  }
  // Stores the codes of all tuples, after all were delivered. Not done by deliver: different
  // threads deliver the shards, and writing neighbouring codes would cause false sharing.
  void note_codes() {
    for (std::size_t shard = 0; shard < batches_.size(); ++shard) {
      const Batch& batch = batches_[shard];
      for (std::size_t i = 0; i < batch.entries.size(); ++i) {
        codes_[batch.entries[i].position] = sharding_.code(shard, batch.places[i]);
      }
    }
  }

 private:
  Sharding sharding_;
  Value values_ = 0;
  std::size_t longest_ = 0;
  std::uint64_t multiplicity_ = 1;
  bool too_long_ = false;
  std::vector<NodeId> codes_;
  std::vector<Batch> batches_;
};

}  // namespace zermelo::dd

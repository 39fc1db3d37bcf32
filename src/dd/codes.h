// Codes: how the two passes name nodes before rows have their final ids, and how both divide the
// work so that the result does not depend on the number of threads.
//
// While a level is expanded, a child is a code: a constant, or an index into the next level's
// frontier, which is divided into shards by hash. The number of shards depends only on the size of
// the level above. Rows are processed in chunks of consecutive rows, and a shard receives the
// tuples of the chunks in the order of the chunks. So the order within a shard is that of the level
// above, for any number of threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dd/diagram.h"

namespace zermelo::dd {

// In a child array, precedes a single code that holds for all values of the variable.
inline constexpr NodeId same_for_all = ~NodeId{0};

// Codes and ids are below this limit, which leaves room for the mark above.
inline constexpr std::uint64_t code_limit = (std::uint64_t{1} << 32) - 16;

// Alignment of objects that different threads write to, to avoid false sharing (processors fetch
// cache lines in pairs).
inline constexpr std::size_t cache_lines = 128;

struct Sharding {
  NodeId constants = 0;
  unsigned bits = 0;  // log2 of the number of shards

  std::size_t shards() const { return std::size_t{1} << bits; }
  std::size_t shard_of(std::uint64_t hash) const { return hash & (shards() - 1); }
  NodeId code(std::size_t shard, NodeId place) const {
    return constants + ((place << bits) | static_cast<NodeId>(shard));
  }
  // Returns one more than the largest code if no shard has more than `largest` rows.
  std::uint64_t codes(std::uint64_t largest) const { return constants + (largest << bits); }
};

// The ids of the codes of a level: the constants map to themselves, then shard after shard, so that
// consecutive rows of a shard are neighbours.
class IdsByCode {
 public:
  IdsByCode() = default;
  // `rows` is the number of rows by shard.
  IdsByCode(const Sharding& sharding, const std::vector<NodeId>& rows) : sharding_(sharding) {
    NodeId end = sharding.constants;
    for (const NodeId count : rows) {
      first_.push_back(end);
      end += count;
    }
    ids_.resize(end);
    for (NodeId c = 0; c < sharding.constants; ++c) ids_[c] = c;
  }

  NodeId operator[](NodeId code) const {
    const NodeId place = code - sharding_.constants;
    const NodeId at = first_[place & (sharding_.shards() - 1)] + (place >> sharding_.bits);
    return ids_[code < sharding_.constants ? code : at];
  }
  // Returns the ids of a shard from an index on.
  NodeId* from(std::size_t shard, NodeId place) { return ids_.data() + first_[shard] + place; }
  std::vector<NodeId>& all() { return ids_; }

 private:
  Sharding sharding_;
  std::vector<NodeId> first_;  // by shard: start in ids_
  std::vector<NodeId> ids_;
};

inline unsigned shard_bits(std::size_t rows) {
  constexpr unsigned most = 6;
  const std::size_t groups = rows >> 11;
  return groups == 0 ? 0 : std::min<unsigned>(most, std::bit_width(groups) - 1);
}

// Returns the number of rows per chunk for a level with that many values per row.
inline std::size_t rows_per_chunk(Value values) {
  constexpr std::size_t codes = 12288, least = 16, most = 4096;
  return std::clamp<std::size_t>(codes / values, least, most);
}

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

inline std::uint64_t finish_hash(std::uint64_t hash) {
  hash *= 0xd6e8feb86659fd93u;
  return hash ^ (hash >> 32);
}

[[gnu::always_inline]] inline std::uint64_t hash_words(const std::uint32_t* words,
                                                       std::size_t count) {
  std::uint64_t hash = count;
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    hash = mix(hash, words[i] | (std::uint64_t{words[i + 1]} << 32));
  }
  if (i < count) hash = mix(hash, words[i]);
  return finish_hash(hash);
}

inline std::uint64_t hash_words(const std::uint64_t* words, std::size_t count) {
  std::uint64_t hash = count;
  for (std::size_t i = 0; i < count; ++i) hash = mix(hash, words[i]);
  return finish_hash(hash);
}

}  // namespace zermelo::dd

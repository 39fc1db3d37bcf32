// The tuples of a level, by shard: in memory, or shard after shard in a scratch file. The file can
// only be read in order, which is sufficient for the level below.
//
// A frontier too large for memory is built in three steps. First, the tuples are written to a file
// by shard, including duplicates. Then, shard by shard, duplicates are found in memory and the
// indices of all tuples are written to a second file. Finally, these indices are inserted into the
// child arrays, which received the tuples of each shard in the same order. Every file is written
// and read sequentially.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dd/child_store.h"
#include "dd/chunk_sink.h"
#include "dd/codes.h"
#include "dd/frontier.h"
#include "dd/scratch_file.h"
#include "dd/stop.h"

namespace zermelo::dd {

template <class Word, bool counted>
class Frontier {
 public:
  using Shard = FrontierShard<Word, counted>;

  // Prepares for about `expected` tuples; `rows` tuples form a chunk.
  void begin(Sharding sharding, std::size_t expected, std::size_t rows) {
    sharding_ = sharding;
    rows_per_chunk_ = rows;
    file_.reset();
    stored_.clear();
    shards_.resize(sharding.shards());
    for (Shard& shard : shards_) shard.reset(expected / shards_.size(), rows);
  }
  // Prepares to receive shards one by one into a file instead.
  bool begin_file(Sharding sharding, std::size_t rows, const std::filesystem::path& folder) {
    sharding_ = sharding;
    rows_per_chunk_ = rows;
    std::vector<Shard>().swap(shards_);
    stored_.assign(sharding.shards(), {});
    file_ = ScratchFile::create(folder);
    return file_.has_value();
  }

  const Sharding& sharding() const { return sharding_; }
  std::size_t rows_per_chunk() const { return rows_per_chunk_; }
  std::size_t shards() const { return sharding_.shards(); }
  Shard& shard(std::size_t s) { return shards_[s]; }
  std::size_t size(std::size_t s) const { return file_ ? stored_[s].size : shards_[s].size(); }
  std::size_t chunks(std::size_t s) const { return starts(s).size(); }
  std::size_t rows() const {
    std::size_t sum = 0;
    for (std::size_t s = 0; s < shards(); ++s) sum += size(s);
    return sum;
  }
  std::vector<NodeId> rows_by_shard() const {
    std::vector<NodeId> sizes;
    for (std::size_t s = 0; s < shards(); ++s) sizes.push_back(static_cast<NodeId>(size(s)));
    return sizes;
  }
  std::size_t largest() const {
    std::size_t most = 0;
    for (std::size_t s = 0; s < shards(); ++s) most = std::max(most, size(s));
    return most;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.bytes();
    return sum;
  }
  // Returns the size of the tuples alone, in memory or in the file.
  std::size_t tuple_bytes() const {
    std::size_t sum = 0;
    for (const Stored& stored : stored_) sum += stored.words * sizeof(Word);
    for (const Shard& shard : shards_) sum += shard.words().size() * sizeof(Word);
    return sum;
  }

  bool store(std::size_t s, const Shard& shard) {
    stored_[s] = {shard.size(), shard.words().size(), file_->size(), shard.chunk_starts()};
    return file_->append(shard.words().data(), shard.words().size() * sizeof(Word));
  }

  // Returns the tuples of a chunk, contiguously; nullptr if they cannot be read.
  const Word* read(std::size_t s, std::size_t chunk, std::vector<Word>& buffer) const {
    const std::size_t begin = starts(s)[chunk];
    if (!file_) return shards_[s].words().data() + begin;
    const std::size_t end = chunk + 1 < chunks(s) ? starts(s)[chunk + 1] : stored_[s].words;
    buffer.resize(end - begin);
    const bool whole = file_->read(stored_[s].offset + begin * sizeof(Word), buffer.data(),
                                   buffer.size() * sizeof(Word));
    return whole ? buffer.data() : nullptr;
  }

 private:
  struct Stored {
    std::size_t size = 0;
    std::size_t words = 0;
    std::uint64_t offset = 0;
    std::vector<std::size_t> chunk_starts;  // in words
  };

  const std::vector<std::size_t>& starts(std::size_t s) const {
    return file_ ? stored_[s].chunk_starts : shards_[s].chunk_starts();
  }

  Sharding sharding_;
  std::size_t rows_per_chunk_ = 1;
  std::vector<Shard> shards_;
  std::vector<Stored> stored_;
  std::optional<ScratchFile> file_;
};

// A file of numbers by shard, in order, buffered for writing and reading.
class IndexFile {
 public:
  static std::optional<IndexFile> create(std::size_t shards, const std::filesystem::path& folder) {
    auto file = ScratchFile::create(folder);
    if (!file) return std::nullopt;
    return IndexFile(shards, std::move(*file));
  }

  // Writes all numbers of a shard. To be called once per shard.
  bool write(std::size_t shard, const std::vector<NodeId>& places) {
    streams_[shard].next = file_.size();
    streams_[shard].end = file_.size() + places.size() * sizeof(NodeId);
    return file_.append(places.data(), places.size() * sizeof(NodeId));
  }

  // Returns the next number of a shard, or nullopt if it cannot be read.
  std::optional<NodeId> next(std::size_t shard) {
    Stream& stream = streams_[shard];
    if (stream.at == stream.buffer.size() && !refill(stream)) return std::nullopt;
    return stream.buffer[stream.at++];
  }

 private:
  struct Stream {
    std::uint64_t next = 0, end = 0;
    std::vector<NodeId> buffer;
    std::size_t at = 0;
  };

  IndexFile(std::size_t shards, ScratchFile file) : file_(std::move(file)), streams_(shards) {}

  bool refill(Stream& stream) {
    constexpr std::size_t most = 8192;
    const std::uint64_t left = (stream.end - stream.next) / sizeof(NodeId);
    stream.buffer.resize(std::min<std::uint64_t>(most, left));
    stream.at = 0;
    const std::size_t bytes = stream.buffer.size() * sizeof(NodeId);
    if (bytes == 0 || !file_.read(stream.next, stream.buffer.data(), bytes)) return false;
    stream.next += bytes;
    return true;
  }

  ScratchFile file_;
  std::vector<Stream> streams_;
};

// The tuples of the next level by shard, before duplicates are found.
template <class Word, bool counted>
class TupleSpill {
 public:
  using Batch = TupleBatch<Word>;

  static std::optional<TupleSpill> create(std::size_t shards, const std::filesystem::path& folder) {
    auto file = ScratchFile::create(folder);
    if (!file) return std::nullopt;
    return TupleSpill(shards, std::move(*file));
  }

  // Adds the tuples of an expanded chunk. Chunks must be added in order.
  bool add(const ChunkSink<Word, counted>& sink) {
    constexpr std::size_t enough = 1 << 17;
    for (std::size_t s = 0; s < buffers_.size(); ++s) {
      const Batch& batch = sink.batch(s);
      Batch& buffer = buffers_[s];
      buffer.entries.insert(buffer.entries.end(), batch.entries.begin(), batch.entries.end());
      buffer.words.append(batch.words.data(), batch.words.size());
      if (buffer.bytes() >= enough && !flush(s)) return false;
    }
    return true;
  }

  bool flush_all() {
    for (std::size_t s = 0; s < buffers_.size(); ++s) {
      if (!flush(s)) return false;
    }
    std::vector<Batch>().swap(buffers_);
    return true;
  }

  // Adds the tuples of shard s to `to`, and stores their indices in order in `places`.
  bool deliver(std::size_t s, FrontierShard<Word, counted>& to, std::vector<NodeId>& places) const {
    Batch batch;
    for (const Extent& extent : extents_[s]) {
      batch.entries.resize(extent.entries);
      batch.words.resize(extent.words);
      const std::size_t entry_bytes = extent.entries * sizeof(typename Batch::Entry);
      if (!file_.read(extent.offset, batch.entries.data(), entry_bytes) ||
          !file_.read(extent.offset + entry_bytes, batch.words.data(),
                      extent.words * sizeof(Word))) {
        return false;
      }
      batch.deliver(to, places);
    }
    return true;
  }

 private:
  struct Extent {
    std::uint64_t offset;
    std::size_t entries, words;
  };

  TupleSpill(std::size_t shards, ScratchFile file)
      : file_(std::move(file)), buffers_(shards), extents_(shards) {}

  bool flush(std::size_t s) {
    Batch& buffer = buffers_[s];
    extents_[s].push_back({file_.size(), buffer.entries.size(), buffer.words.size()});
    const bool written = file_.append(buffer.entries.data(),
                                      buffer.entries.size() * sizeof(typename Batch::Entry)) &&
                         file_.append(buffer.words.data(), buffer.words.size() * sizeof(Word));
    buffer.clear();
    return written;
  }

  ScratchFile file_;
  std::vector<Batch> buffers_;
  std::vector<std::vector<Extent>> extents_;
};

// Inserts the indices into the child arrays of the last level, whose codes name only the shard.
inline std::optional<Stop> fill_in_places(ChildStore& store, const Sharding& sharding,
                                          IndexFile& places, const base::Limits& limits) {
  constexpr std::size_t interval = 8;
  std::vector<NodeId> buffer, codes;
  const std::size_t chunks = store.level(store.levels() - 1).chunks.size();
  for (std::size_t c = 0; c < chunks; ++c) {
    if (c % interval == 0) {
      if (const auto stop = exceeded(limits)) return stop;
    }
    const ChildStore::Chunk& chunk = store.level(store.levels() - 1).chunks[c];
    const NodeId* old = store.read(chunk, buffer);
    if (old == nullptr) return Stop::scratch_failure;
    codes.assign(old, old + chunk.count);
    for (NodeId& code : codes) {
      if (code < sharding.constants || code == same_for_all) continue;
      const std::size_t shard = code - sharding.constants;
      const auto place = places.next(shard);
      if (!place) return Stop::scratch_failure;
      code = sharding.code(shard, *place);
    }
    if (!store.replace(c, codes)) return Stop::scratch_failure;
  }
  return std::nullopt;
}

}  // namespace zermelo::dd

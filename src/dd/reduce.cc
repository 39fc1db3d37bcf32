// A level is reduced in rounds of a few chunks of rows. First, the codes of each row become ids, by
// the table from the level below; a row with a single child becomes that child. The other rows are
// sent to shards by their hash. Then each shard processes its rows in order and gives equal rows
// the same index. When the level is finished, indices become ids, shard after shard. Two loops per
// round instead of one over rows allow each shard to prefetch its data.
//
// Shards that grow too large for memory go to a scratch file, with all rows sent to them from then
// on, duplicates included. Duplicates are found when the level is finished, with a few shards in
// memory at a time. A shard receives the same rows in the same order, so they get the same indices.
// Only an id for each row of a level and of the one below must be in memory.

#include "dd/reduce.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace zermelo::dd {

namespace {

// Rows sent from one chunk to one shard.
struct RowBatch {
  std::vector<NodeId> rows;
  std::vector<NodeId> numbers;  // of the rows in the chunk
  std::vector<std::uint64_t> hashes;
  std::vector<NodeId> places;  // indices of the rows in the shard, once received

  void clear() {
    rows.clear();
    numbers.clear();
    hashes.clear();
    places.clear();
  }
};

// Rows by shard in a scratch file, in order.
class RowSpill {
 public:
  static std::optional<RowSpill> create(std::size_t shards, std::size_t width,
                                        const std::filesystem::path& folder) {
    auto file = ScratchFile::create(folder);
    if (!file) return std::nullopt;
    return RowSpill(shards, width, std::move(*file));
  }

  // Adds a row with a number that identifies it.
  bool add(std::size_t shard, NodeId number, const NodeId* row) {
    constexpr std::size_t enough = 1 << 14;
    std::vector<NodeId>& buffer = buffers_[shard];
    buffer.push_back(number);
    buffer.insert(buffer.end(), row, row + width_);
    return buffer.size() < enough || flush(shard);
  }
  bool flush_all() {
    for (std::size_t s = 0; s < buffers_.size(); ++s) {
      if (!flush(s)) return false;
      std::vector<NodeId>().swap(buffers_[s]);
    }
    return true;
  }
  // Calls visit(number, row) for each row of a shard.
  template <class Visit>
  bool read(std::size_t shard, Visit visit) const {
    std::vector<NodeId> words;
    for (const Extent& extent : extents_[shard]) {
      words.resize(extent.words);
      if (!file_.read(extent.offset, words.data(), extent.words * sizeof(NodeId))) return false;
      for (std::size_t at = 0; at < words.size(); at += 1 + width_) {
        visit(words[at], &words[at + 1]);
      }
    }
    return true;
  }

 private:
  struct Extent {
    std::uint64_t offset;
    std::size_t words;
  };

  RowSpill(std::size_t shards, std::size_t width, ScratchFile file)
      : width_(width), file_(std::move(file)), buffers_(shards), extents_(shards) {}

  bool flush(std::size_t shard) {
    std::vector<NodeId>& buffer = buffers_[shard];
    extents_[shard].push_back({file_.size(), buffer.size()});
    const bool written = file_.append(buffer.data(), buffer.size() * sizeof(NodeId));
    buffer.clear();
    return written;
  }

  std::size_t width_;
  ScratchFile file_;
  std::vector<std::vector<NodeId>> buffers_;
  std::vector<std::vector<Extent>> extents_;
};

// The distinct rows of one shard: open addressing, part of the hash next to the index.
class alignas(cache_lines) RowTable {
 public:
  explicit RowTable(std::size_t width) : width_(width), slots_(64, 0) {}

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[slot_of(hash)]); }
  void prefetch_row(std::uint64_t hash) const {
    const std::uint64_t slot = slots_[slot_of(hash)];
    if (slot != 0) __builtin_prefetch(&rows_[((slot & place_mask) - 1) * width_]);
  }

  NodeId find_or_add(const NodeId* row, std::uint64_t hash) {
    const std::uint64_t tag = hash & ~place_mask;
    std::size_t at = slot_of(hash);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const std::uint64_t place = (slots_[at] & place_mask) - 1;
      if ((slots_[at] & ~place_mask) == tag && equal(place, row)) return static_cast<NodeId>(place);
    }
    slots_[at] = tag | (count_ + 1);
    rows_.insert(rows_.end(), row, row + width_);
    if (++count_ * 2 > slots_.size()) grow();
    return static_cast<NodeId>(count_ - 1);
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const {
    return rows_.capacity() * sizeof(NodeId) + slots_.capacity() * sizeof(slots_[0]);
  }
  const NodeId* row(std::size_t place) const { return &rows_[place * width_]; }
  std::vector<NodeId> take_rows() {
    std::vector<std::uint64_t>().swap(slots_);
    return std::move(rows_);
  }

 private:
  static constexpr std::uint64_t place_mask = 0xffffffffu;

  // The upper half of the hash is the tag; the lowest bits selected the shard.
  std::size_t slot_of(std::uint64_t hash) const {
    return ((hash >> 6) ^ (hash >> 38)) & (slots_.size() - 1);
  }
  bool equal(std::uint64_t place, const NodeId* row) const {
    const NodeId* const known = &rows_[place * width_];  // too short for memcmp to pay off
    for (std::size_t i = 0; i < width_; ++i) {
      if (known[i] != row[i]) return false;
    }
    return true;
  }
  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t place = 0; place < count_; ++place) {
      const std::uint64_t hash = hash_words(&rows_[place * width_], width_);
      std::size_t at = slot_of(hash);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = (hash & ~place_mask) | (place + 1);
    }
  }

  std::size_t width_;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> slots_;
  std::vector<NodeId> rows_;
};

// Returns whether a row has only one child, don't-care children aside, and sets it.
bool single_child(const NodeId* row, std::size_t width, Reduction reduction, NodeId& child) {
  child = row[0];
  if (reduction == Reduction::exact) {
    return std::all_of(row + 1, row + width, [&](NodeId other) { return other == child; });
  }
  for (std::size_t i = 1; i < width; ++i) {
    if (row[i] == 0 || row[i] == child) continue;
    if (child != 0) return false;
    child = row[i];
  }
  return true;
}

class LevelReducer {
 public:
  LevelReducer(const ChildStore& store, const ChildStore::Level& level, std::size_t width,
               NodeId base, const IdsByCode& below, Reduction reduction, const Options& options,
               Team& team)
      : store_(store),
        level_(level),
        width_(width),
        below_(below),
        reduction_(reduction),
        options_(options),
        team_(team),
        sharding_{base, shard_bits(
                            std::accumulate(level.rows.begin(), level.rows.end(), std::size_t{0}))},
        ids_(level.sharding, level.rows),
        tables_(sharding_.shards(), RowTable(width)) {}

  // Reduces the level and appends the distinct rows to the array.
  std::optional<Stop> run(NodeArrayWriter& rows) {
    if (const auto stop = take_chunks()) return stop;
    if (const auto stop = spill_ ? write_from_spill(rows) : write_tables(rows)) return stop;
    return number_rows();
  }

  IdsByCode take_ids() { return std::move(ids_); }
  NodeId end() const { return static_cast<NodeId>(end_); }

 private:
  static constexpr NodeId numbered = ~NodeId{0};  // for a row that has its index

  std::optional<Stop> take_chunks() {
    const std::size_t round = 4 * team_.size();
    std::vector<std::vector<RowBatch>> batches(round, std::vector<RowBatch>(sharding_.shards()));
    std::vector<std::vector<NodeId>> buffers(team_.size());
    std::atomic<bool> unreadable = false;
    for (std::size_t begin = 0; begin < level_.chunks.size(); begin += round) {
      if (const auto stop = exceeded(options_.limits)) return stop;
      const auto chunks =
          std::span(level_.chunks).subspan(begin, std::min(round, level_.chunks.size() - begin));
      team_.run(chunks.size(), [&](unsigned thread, std::size_t i) {
        if (!send(chunks[i], buffers[thread], batches[i])) unreadable = true;
      });
      if (unreadable) return Stop::scratch_failure;
      if (const auto stop = take_round(chunks, batches)) return stop;
    }
    return std::nullopt;
  }

  std::optional<Stop> take_round(std::span<const ChildStore::Chunk> chunks,
                                 std::vector<std::vector<RowBatch>>& batches) {
    if (spill_) {
      for (std::size_t i = 0; i < chunks.size(); ++i) {
        if (!spill(chunks[i], batches[i])) return Stop::scratch_failure;
      }
      return std::nullopt;
    }
    team_.run(sharding_.shards(), [&](unsigned, std::size_t shard) {
      for (std::size_t i = 0; i < chunks.size(); ++i) receive(tables_[shard], batches[i][shard]);
    });
    team_.run(chunks.size(), [&](unsigned, std::size_t i) { note_places(chunks[i], batches[i]); });
    return too_large() ? begin_spill() : std::nullopt;
  }

  bool too_large() const {
    if (options_.scratch_folder.empty()) return false;
    std::size_t bytes = 0;
    for (const RowTable& table : tables_) bytes += table.bytes();
    return bytes > options_.frontier_in_memory;
  }

  std::optional<Stop> begin_spill() {
    spill_ = RowSpill::create(sharding_.shards(), width_, options_.scratch_folder);
    if (!spill_) return Stop::scratch_failure;
    for (std::size_t s = 0; s < tables_.size(); ++s) {
      if (const auto stop = exceeded(options_.limits)) return stop;
      for (std::size_t place = 0; place < tables_[s].size(); ++place) {
        if (!spill_->add(s, numbered, tables_[s].row(place))) return Stop::scratch_failure;
      }
      tables_[s] = RowTable(width_);
    }
    return std::nullopt;
  }

  bool spill(const ChildStore::Chunk& chunk, const std::vector<RowBatch>& batches) {
    const auto first = static_cast<NodeId>(ids_.from(chunk.shard, chunk.first) - ids_.all().data());
    for (std::size_t shard = 0; shard < batches.size(); ++shard) {
      const RowBatch& batch = batches[shard];
      for (std::size_t i = 0; i < batch.numbers.size(); ++i) {
        if (!spill_->add(shard, first + batch.numbers[i], &batch.rows[i * width_])) return false;
      }
    }
    return true;
  }

  std::optional<Stop> write_tables(NodeArrayWriter& rows) {
    std::size_t all = 0;
    for (const RowTable& table : tables_) all += table.size();
    if (tables_.size() > 1) rows.expect(all * width_);
    const bool written = std::all_of(tables_.begin(), tables_.end(),
                                     [&](RowTable& table) { return write_table(table, rows); });
    return written ? std::nullopt : std::optional(Stop::scratch_failure);
  }

  bool write_table(RowTable& table, NodeArrayWriter& rows) {
    sizes_.push_back(table.size());
    return rows.append(table.take_rows());
  }

  // Processes as many shards in memory at a time as there are threads.
  std::optional<Stop> write_from_spill(NodeArrayWriter& rows) {
    if (!spill_->flush_all()) return Stop::scratch_failure;
    std::atomic<bool> unreadable = false;
    for (std::size_t begin = 0; begin < tables_.size(); begin += team_.size()) {
      if (const auto stop = exceeded(options_.limits)) return stop;
      const std::size_t shards = std::min<std::size_t>(team_.size(), tables_.size() - begin);
      team_.run(shards, [&](unsigned, std::size_t i) {
        if (!receive_from_spill(begin + i)) unreadable = true;
      });
      if (unreadable) return Stop::scratch_failure;
      for (std::size_t i = 0; i < shards; ++i) {
        if (!write_table(tables_[begin + i], rows)) return Stop::scratch_failure;
      }
    }
    return std::nullopt;
  }

  bool receive_from_spill(std::size_t shard) {
    NodeId* const ids = ids_.all().data();
    return spill_->read(shard, [&](NodeId number, const NodeId* row) {
      const NodeId place = tables_[shard].find_or_add(row, hash_words(row, width_));
      if (number != numbered) ids[number] = sharding_.code(shard, place);
    });
  }

  bool send(const ChildStore::Chunk& chunk, std::vector<NodeId>& buffer,
            std::vector<RowBatch>& batches) {
    const NodeId* codes = store_.read(chunk, buffer);
    if (codes == nullptr) return false;
    for (RowBatch& batch : batches) batch.clear();
    NodeId* const ids = ids_.from(chunk.shard, chunk.first);
    std::vector<NodeId> row(width_);
    for (NodeId i = 0; i < chunk.rows; ++i) {
      if (codes[0] == same_for_all) {
        ids[i] = below_[codes[1]];
        codes += 2;
        continue;
      }
      for (std::size_t value = 0; value < width_; ++value) row[value] = below_[codes[value]];
      codes += width_;
      if (!single_child(row.data(), width_, reduction_, ids[i])) send_row(row.data(), i, batches);
    }
    return true;
  }

  void send_row(const NodeId* row, NodeId number, std::vector<RowBatch>& batches) {
    const std::uint64_t hash = hash_words(row, width_);
    RowBatch& batch = batches[sharding_.shard_of(hash)];
    batch.rows.insert(batch.rows.end(), row, row + width_);
    batch.numbers.push_back(number);
    batch.hashes.push_back(hash);
  }

  void receive(RowTable& table, RowBatch& batch) {
    constexpr std::size_t far = 12, near = 6;
    const std::size_t count = batch.hashes.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + far < count) table.prefetch(batch.hashes[i + far]);
      if (i + near < count) table.prefetch_row(batch.hashes[i + near]);
      batch.places.push_back(table.find_or_add(&batch.rows[i * width_], batch.hashes[i]));
    }
  }

  void note_places(const ChildStore::Chunk& chunk, const std::vector<RowBatch>& batches) {
    NodeId* const ids = ids_.from(chunk.shard, chunk.first);
    for (std::size_t shard = 0; shard < batches.size(); ++shard) {
      const RowBatch& batch = batches[shard];
      for (std::size_t i = 0; i < batch.places.size(); ++i) {
        ids[batch.numbers[i]] = sharding_.code(shard, batch.places[i]);
      }
    }
  }

  // Before this, ids from the base on encode shard and index.
  std::optional<Stop> number_rows() {
    std::vector<std::uint64_t> first = {sharding_.constants};
    for (const std::size_t size : sizes_) first.push_back(first.back() + size);
    end_ = first.back();
    const std::size_t largest = *std::max_element(sizes_.begin(), sizes_.end());
    if (sharding_.codes(largest) > code_limit) return Stop::too_many_nodes;
    if (sizes_.size() == 1) return std::nullopt;
    constexpr std::size_t round = std::size_t{1} << 24;
    std::vector<NodeId>& ids = ids_.all();
    for (std::size_t begin = 0; begin < ids.size(); begin += round) {
      if (const auto stop = exceeded(options_.limits)) return stop;
      renumber({&ids[begin], std::min(round, ids.size() - begin)}, first);
    }
    return std::nullopt;
  }

  void renumber(std::span<NodeId> ids, const std::vector<std::uint64_t>& first) const {
    constexpr std::size_t block = 1 << 16;
    team_.run((ids.size() + block - 1) / block, [&](unsigned, std::size_t task) {
      const std::size_t end = std::min(ids.size(), (task + 1) * block);
      for (std::size_t i = task * block; i < end; ++i) ids[i] = final_id(ids[i], first);
    });
  }

  NodeId final_id(NodeId id, const std::vector<std::uint64_t>& first) const {
    if (id < sharding_.constants) return id;
    const NodeId code = id - sharding_.constants;
    return static_cast<NodeId>(first[code & (sharding_.shards() - 1)] + (code >> sharding_.bits));
  }

  const ChildStore& store_;
  const ChildStore::Level& level_;
  std::size_t width_;
  const IdsByCode& below_;
  Reduction reduction_;
  const Options& options_;
  Team& team_;
  Sharding sharding_;  // of the distinct rows; the level's base replaces the constants
  IdsByCode ids_;
  std::vector<RowTable> tables_;
  std::optional<RowSpill> spill_;   // the rows, once they exceed the tables
  std::vector<std::size_t> sizes_;  // by shard: number of distinct rows
  std::uint64_t end_ = 0;
};

}  // namespace

Passed<Diagram> reduce(const Domains& domains, NodeId constants, Expansion expansion,
                       Reduction reduction, const Options& options, Team& team) {
  std::vector<Diagram::Level> levels(domains.size());
  NodeArrayWriter rows(options);
  IdsByCode ids = std::move(expansion.bottom);
  NodeId base = constants;
  for (std::size_t l = domains.size(); l-- > 0;) {
    LevelReducer reducer(expansion.children, expansion.children.level(l), domains[l], base, ids,
                         reduction, options, team);
    if (const auto stop = reducer.run(rows)) return tl::unexpected(*stop);
    auto children = rows.finish();
    if (!children) return tl::unexpected(Stop::scratch_failure);
    levels[l] = {base, std::move(*children)};
    base = reducer.end();
    ids = reducer.take_ids();
    expansion.children.drop_level();
  }
  return Diagram(domains, constants, std::move(levels), ids[constants]);
}

}  // namespace zermelo::dd

// Reduction of a level takes the rows in rounds of a few chunks. First the codes of each row become
// ids, by the table the level below left; a row with a single child is that child. The others are
// sent to shards by their hash. Then each shard takes its rows in order and gives equal ones
// the same place. When the level is through, places become ids, shard after shard. Two loops over
// a round instead of one over rows let each shard prefetch what it will touch.

#include "dd/reduce.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace zermelo::dd {

namespace {

// Rows sent from one chunk to one shard.
struct Parcel {
  std::vector<NodeId> rows;
  std::vector<NodeId> numbers;  // of the rows in the chunk
  std::vector<std::uint64_t> hashes;
  std::vector<NodeId> places;  // of the rows in the shard, once received

  void clear() {
    rows.clear();
    numbers.clear();
    hashes.clear();
    places.clear();
  }
};

// The distinct rows of one shard: open addressing, part of the hash beside the place.
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
  std::vector<NodeId>& rows() { return rows_; }

 private:
  static constexpr std::uint64_t place_mask = 0xffffffffu;

  // The upper half of the hash is the tag, the lowest bits chose the shard.
  std::size_t slot_of(std::uint64_t hash) const {
    return ((hash >> 6) ^ (hash >> 38)) & (slots_.size() - 1);
  }
  bool equal(std::uint64_t place, const NodeId* row) const {
    return std::memcmp(&rows_[place * width_], row, width_ * sizeof(NodeId)) == 0;
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

// The only child of a row, if it has just one, not counting those that may have any value.
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
               NodeId base, const IdsByCode& below, Reduction reduction)
      : store_(store),
        level_(level),
        width_(width),
        below_(below),
        reduction_(reduction),
        sharding_{base, shard_bits(
                            std::accumulate(level.rows.begin(), level.rows.end(), std::size_t{0}))},
        ids_(level.sharding, level.rows),
        tables_(sharding_.shards(), RowTable(width)) {}

  std::optional<Stop> run(const base::Limits& limits, Team& team) {
    const std::size_t round = 4 * team.size();
    std::vector<std::vector<Parcel>> parcels(round, std::vector<Parcel>(sharding_.shards()));
    std::vector<std::vector<NodeId>> buffers(team.size());
    std::atomic<bool> unreadable = false;
    for (std::size_t begin = 0; begin < level_.chunks.size(); begin += round) {
      if (const auto stop = exceeded(limits)) return stop;
      const std::size_t chunks = std::min(round, level_.chunks.size() - begin);
      team.run(chunks, [&](unsigned thread, std::size_t i) {
        if (!send(level_.chunks[begin + i], buffers[thread], parcels[i])) unreadable = true;
      });
      if (unreadable) return Stop::scratch_failure;
      team.run(sharding_.shards(), [&](unsigned, std::size_t shard) {
        for (std::size_t i = 0; i < chunks; ++i) receive(tables_[shard], parcels[i][shard]);
      });
      team.run(chunks,
               [&](unsigned, std::size_t i) { note_places(level_.chunks[begin + i], parcels[i]); });
    }
    return number_rows(team) ? std::nullopt : std::optional(Stop::too_many_nodes);
  }

  std::vector<NodeId> take_rows() {
    if (tables_.size() == 1) return std::move(tables_[0].rows());
    std::vector<NodeId> all;
    all.reserve((end_ - sharding_.constants) * width_);
    for (RowTable& table : tables_) {
      all.insert(all.end(), table.rows().begin(), table.rows().end());
      table.rows() = {};
    }
    return all;
  }

  IdsByCode take_ids() { return std::move(ids_); }
  NodeId end() const { return static_cast<NodeId>(end_); }

 private:
  bool send(const ChildStore::Chunk& chunk, std::vector<NodeId>& buffer,
            std::vector<Parcel>& parcels) {
    const NodeId* codes = store_.read(chunk, buffer);
    if (codes == nullptr) return false;
    for (Parcel& parcel : parcels) parcel.clear();
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
      if (!single_child(row.data(), width_, reduction_, ids[i])) send_row(row.data(), i, parcels);
    }
    return true;
  }

  void send_row(const NodeId* row, NodeId number, std::vector<Parcel>& parcels) {
    const std::uint64_t hash = hash_words(row, width_);
    Parcel& parcel = parcels[sharding_.shard_of(hash)];
    parcel.rows.insert(parcel.rows.end(), row, row + width_);
    parcel.numbers.push_back(number);
    parcel.hashes.push_back(hash);
  }

  void receive(RowTable& table, Parcel& parcel) {
    constexpr std::size_t far = 12, near = 6;
    const std::size_t count = parcel.hashes.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + far < count) table.prefetch(parcel.hashes[i + far]);
      if (i + near < count) table.prefetch_row(parcel.hashes[i + near]);
      parcel.places.push_back(table.find_or_add(&parcel.rows[i * width_], parcel.hashes[i]));
    }
  }

  void note_places(const ChildStore::Chunk& chunk, const std::vector<Parcel>& parcels) {
    NodeId* const ids = ids_.from(chunk.shard, chunk.first);
    for (std::size_t shard = 0; shard < parcels.size(); ++shard) {
      const Parcel& parcel = parcels[shard];
      for (std::size_t i = 0; i < parcel.places.size(); ++i) {
        ids[parcel.numbers[i]] = sharding_.code(shard, parcel.places[i]);
      }
    }
  }

  // Until here, ids from the base on say shard and place.
  bool number_rows(Team& team) {
    std::vector<std::uint64_t> first(tables_.size() + 1, sharding_.constants);
    std::size_t largest = 0;
    for (std::size_t s = 0; s < tables_.size(); ++s) {
      first[s + 1] = first[s] + tables_[s].size();
      largest = std::max(largest, tables_[s].size());
    }
    end_ = first.back();
    if (sharding_.codes(largest) > code_limit) return false;
    if (tables_.size() == 1) return true;
    constexpr std::size_t block = 1 << 16;
    std::vector<NodeId>& ids = ids_.all();
    team.run((ids.size() + block - 1) / block, [&](unsigned, std::size_t task) {
      const std::size_t end = std::min(ids.size(), (task + 1) * block);
      for (std::size_t i = task * block; i < end; ++i) ids[i] = final_id(ids[i], first);
    });
    return true;
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
  Sharding sharding_;  // of the distinct rows; the level's base stands for the constants
  IdsByCode ids_;
  std::vector<RowTable> tables_;
  std::uint64_t end_ = 0;
};

}  // namespace

Passed<Diagram> reduce(const Domains& domains, NodeId constants, Expansion expansion,
                       Reduction reduction, const Options& options, Team& team) {
  std::vector<Diagram::Level> levels(domains.size());
  IdsByCode ids = std::move(expansion.bottom);
  NodeId base = constants;
  for (std::size_t l = domains.size(); l-- > 0;) {
    LevelReducer reducer(expansion.children, expansion.children.level(l), domains[l], base, ids,
                         reduction);
    if (const auto stop = reducer.run(options.limits, team)) return tl::unexpected(*stop);
    levels[l] = {base, reducer.take_rows()};
    base = reducer.end();
    ids = reducer.take_ids();
    expansion.children.drop_level();
  }
  return Diagram(domains, constants, std::move(levels), ids[constants]);
}

}  // namespace zermelo::dd

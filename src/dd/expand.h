// The downward pass. An operation is described by what it remembers of the operands above a level:
// a tuple of words, such as one node of each operand. The pass starts with the tuple of the roots
// and asks the operation, for each tuple of a level and each value of the level's variable, for
// the tuple that follows, or for a constant where the result is decided. Equal tuples of a level
// are one row. No tuple of another level is ever looked at, so tables are small, memory is walked
// in order, and nothing needs to be collected. `reduce` then makes the diagram.
//
// The operation is an object of which every thread has a copy:
//
//   using Word = std::uint32_t;            // or std::uint64_t
//   static constexpr bool counted = false; // whether paths are counted
//   // Calls sink.constant(c) or sink.tuple(words, length) for each value in turn, or, once,
//   // sink.same_tuple(words, length) when the tuple is the same for all of them.
//   void children(std::size_t level, const Tuple& tuple, Sink& sink);
//   // The constant of a tuple below the last level.
//   NodeId value(const Tuple& tuple);
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dd/child_store.h"
#include "dd/frontier.h"
#include "dd/options.h"
#include "dd/reduce.h"
#include "dd/stop.h"
#include "dd/team.h"

namespace zermelo::dd {

// The children of a chunk of rows, and the tuples among them by shard of the next level.
template <class Word, bool counted>
class ChunkSink {
 public:
  void begin(Sharding sharding, std::size_t rows, Value values, std::size_t longest) {
    sharding_ = sharding;
    values_ = values;
    longest_ = longest;
    codes_.clear();
    codes_.reserve(rows * values);
    parcels_.resize(sharding.shards());
    for (Parcel& parcel : parcels_) {
      parcel.words.clear();
      parcel.entries.clear();
    }
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
    Parcel& parcel = parcels_[sharding_.shard_of(hash)];
    parcel.entries.push_back({hash, multiplicity_, static_cast<std::uint32_t>(codes_.size()),
                              static_cast<std::uint32_t>(length)});
    parcel.words.insert(parcel.words.end(), words, words + length);
    codes_.push_back(0);
  }

  bool too_long() const { return too_long_; }
  std::vector<NodeId> take_codes() { return std::move(codes_); }

  // Adds the tuples meant for a shard to it and notes their codes.
  void deliver(std::size_t shard, FrontierShard<Word, counted>& to) {
    constexpr std::size_t far = 12, near = 6;
    const std::vector<Entry>& entries = parcels_[shard].entries;
    const Word* words = parcels_[shard].words.data();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i + far < entries.size()) to.prefetch(entries[i + far].hash);
      if (i + near < entries.size()) to.prefetch_tuple(entries[i + near].hash);
      const Entry& entry = entries[i];
      const NodeId place = to.find_or_add(words, entry.length, entry.hash, entry.multiplicity);
      codes_[entry.position] = sharding_.code(shard, place);
      words += entry.length;
    }
  }

 private:
  struct Entry {
    std::uint64_t hash;
    std::uint64_t multiplicity;
    std::uint32_t position;  // in codes_
    std::uint32_t length;
  };
  struct Parcel {
    std::vector<Entry> entries;
    std::vector<Word> words;
  };

  Sharding sharding_;
  Value values_ = 0;
  std::size_t longest_ = 0;
  std::uint64_t multiplicity_ = 1;
  bool too_long_ = false;
  std::vector<NodeId> codes_;
  std::vector<Parcel> parcels_;
};

template <class Operation>
class Expander {
 public:
  using Word = typename Operation::Word;
  using Shard = FrontierShard<Word, Operation::counted>;
  using Sink = ChunkSink<Word, Operation::counted>;

  Expander(const Domains& domains, NodeId constants, std::vector<Operation>& workers,
           const Options& options, Team& team)
      : domains_(domains),
        constants_(constants),
        workers_(workers),
        options_(options),
        team_(team),
        store_(options) {}

  Passed<Expansion> run(std::span<const Word> root) {
    begin_frontier(current_, current_sharding_, 1, 0);
    current_[0].find_or_add(root.data(), static_cast<std::uint32_t>(root.size()),
                            hash_words(root.data(), root.size()), 1);
    for (std::size_t l = 0; l < domains_.size(); ++l) {
      if (const auto stop = expand_level(l)) return tl::unexpected(*stop);
      std::swap(current_, next_);
      std::swap(current_sharding_, next_sharding_);
    }
    std::vector<NodeId> bottom = bottom_values();
    return Expansion{std::move(store_), std::move(bottom)};
  }

 private:
  struct Place {
    std::size_t shard, chunk;
  };

  // Prepares the frontier of level l for the children of that many rows.
  void begin_frontier(std::vector<Shard>& shards, Sharding& sharding, std::size_t rows,
                      std::size_t l) {
    sharding = {constants_, shard_bits(rows)};
    shards.resize(sharding.shards());
    const std::size_t chunk = l < domains_.size() ? rows_per_chunk(domains_[l]) : 4096;
    const std::size_t expected = rows * 3 / 2 / shards.size();
    for (Shard& shard : shards) shard.reset(expected, chunk);
  }

  std::size_t rows() const {
    std::size_t sum = 0;
    for (const Shard& shard : current_) sum += shard.size();
    return sum;
  }

  static std::size_t largest(const std::vector<Shard>& shards) {
    std::size_t most = 0;
    for (const Shard& shard : shards) most = std::max(most, shard.size());
    return most;
  }

  std::optional<Stop> expand_level(std::size_t l) {
    store_.begin_level(current_sharding_, largest(current_));
    begin_frontier(next_, next_sharding_, rows(), l + 1);
    std::vector<Place> places;
    for (std::size_t s = 0; s < current_.size(); ++s) {
      for (std::size_t c = 0; c < current_[s].chunks(); ++c) places.push_back({s, c});
    }
    const std::size_t round = round_chunks();
    sinks_.resize(round);
    for (std::size_t begin = 0; begin < places.size(); begin += round) {
      if (const auto stop = exceeded(options_.limits)) return stop;
      const std::size_t count = std::min(round, places.size() - begin);
      if (const auto stop = expand_round(l, std::span(places).subspan(begin, count))) return stop;
    }
    return std::nullopt;
  }

  std::size_t round_chunks() const { return team_.size() == 1 ? 2 : 8 * team_.size(); }

  std::optional<Stop> expand_round(std::size_t l, std::span<const Place> places) {
    team_.run(places.size(), [&](unsigned thread, std::size_t i) {
      expand_chunk(l, places[i], workers_[thread], sinks_[i]);
    });
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (sinks_[i].too_long()) return Stop::tuple_too_long;
    }
    team_.run(next_.size(), [&](unsigned, std::size_t shard) {
      for (std::size_t i = 0; i < places.size(); ++i) sinks_[i].deliver(shard, next_[shard]);
    });
    if (next_sharding_.codes(largest(next_)) > code_limit) return Stop::too_many_nodes;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto [first, rows] = rows_of(l, places[i]);
      if (!store_.add({places[i].shard, first, rows, sinks_[i].take_codes()})) {
        return Stop::scratch_failure;
      }
    }
    return std::nullopt;
  }

  std::pair<NodeId, NodeId> rows_of(std::size_t l, Place place) const {
    const std::size_t chunk = rows_per_chunk(domains_[l]), first = place.chunk * chunk;
    const std::size_t rows = std::min(chunk, current_[place.shard].size() - first);
    return {static_cast<NodeId>(first), static_cast<NodeId>(rows)};
  }

  void expand_chunk(std::size_t l, Place place, Operation& worker, Sink& sink) {
    const Shard& shard = current_[place.shard];
    const NodeId rows = rows_of(l, place).second;
    sink.begin(next_sharding_, rows, domains_[l], options_.longest_tuple);
    const Word* words = shard.words().data() + shard.chunk_starts()[place.chunk];
    for (NodeId i = 0; i < rows; ++i) {
      const auto tuple = Shard::next(words);
      sink.begin_row(tuple.multiplicity);
      worker.children(l, tuple, sink);
    }
  }

  std::vector<NodeId> bottom_values() {
    std::vector<NodeId> values(current_sharding_.codes(largest(current_)), 0);
    for (NodeId c = 0; c < constants_; ++c) values[c] = c;
    team_.run(current_.size(), [&](unsigned thread, std::size_t s) {
      const Word* words = current_[s].words().data();
      for (std::size_t place = 0; place < current_[s].size(); ++place) {
        const auto tuple = Shard::next(words);
        values[current_sharding_.code(s, static_cast<NodeId>(place))] =
            workers_[thread].value(tuple);
      }
    });
    return values;
  }

  const Domains& domains_;
  NodeId constants_;
  std::vector<Operation>& workers_;
  const Options& options_;
  Team& team_;
  ChildStore store_;
  std::vector<Shard> current_, next_;
  Sharding current_sharding_, next_sharding_;
  std::vector<Sink> sinks_;
};

// Both passes. `workers` has one operation per thread; what they gathered is in them afterwards.
template <class Operation>
Passed<Diagram> construct(const Domains& domains, NodeId constants,
                          std::span<const typename Operation::Word> root,
                          std::vector<Operation>& workers, Reduction reduction,
                          const Options& options) {
  Team team(static_cast<unsigned>(workers.size()));
  auto expansion = Expander<Operation>(domains, constants, workers, options, team).run(root);
  if (!expansion) return tl::unexpected(expansion.error());
  return reduce(domains, constants, std::move(*expansion), reduction, options, team);
}

template <class Operation>
Passed<Diagram> construct(const Domains& domains, NodeId constants,
                          std::span<const typename Operation::Word> root,
                          const Operation& operation, Reduction reduction, const Options& options) {
  std::vector<Operation> workers(std::max(1u, options.threads), operation);
  return construct(domains, constants, root, workers, reduction, options);
}

}  // namespace zermelo::dd

// The downward pass. An operation is defined by the state it keeps of the operands above a level: a
// tuple of words, such as one node of each operand. The pass starts with the tuple of the roots.
// For each tuple of a level and each value of the level's variable, the operation returns the next
// tuple, or a constant if the result is decided. Equal tuples of a level are one row. Tuples of
// other levels are never accessed, so tables are small, memory is accessed in order, and no garbage
// collection is needed. `reduce` then makes the diagram.
//
// The operation is an object of which every thread has a copy:
//
//   using Word = std::uint32_t;            // or std::uint64_t
//   static constexpr bool counted = false; // whether paths are counted
//   // Calls sink.constant(c) or sink.tuple(words, length) for each value in turn, or, once,
//   // sink.same_tuple(words, length) if the tuple is the same for all values.
//   void children(std::size_t level, const Tuple& tuple, Sink& sink);
//   // The constant of a tuple below the last level.
//   NodeId value(const Tuple& tuple);
//   // Optional, called on one of the copies before a level starts.
//   void enter(std::size_t level, Team& team);
//   // Optional, called on a tuple shortly before its children are requested.
//   void prefetch(std::size_t level, const Tuple& tuple);
//   // Optional, called when a level is finished, to free memory of operands in files.
//   void leave(std::size_t level);
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dd/child_store.h"
#include "dd/chunk_sink.h"
#include "dd/frontier_store.h"
#include "dd/options.h"
#include "dd/reduce.h"
#include "dd/stop.h"
#include "dd/team.h"

namespace zermelo::dd {

// The operations of all threads as the pass sees them. Calls are for whole chunks, so that one pass
// is compiled for all operations of a tuple type and yet no tuple costs a virtual call.
template <class Word, bool counted>
class ChunkOperation {
 public:
  virtual ~ChunkOperation() = default;
  virtual void enter(std::size_t level, Team& team) = 0;
  virtual void leave(std::size_t level) = 0;
  // Writes the children of `rows` tuples, which start at `words`, to `sink`.
  virtual void expand(unsigned thread, std::size_t level, const Word* words, NodeId rows,
                      ChunkSink<Word, counted>& sink) = 0;
  // Writes the constants of `rows` tuples to `ids`.
  virtual void values(unsigned thread, const Word* words, NodeId rows, NodeId* ids) = 0;
  // Runs `expand_level` and, if it returns true, undoes what it did to the operations.
  virtual void try_level(const std::function<bool()>& expand_level) = 0;
};

template <class Operation>
class OperationOfThreads final
    : public ChunkOperation<typename Operation::Word, Operation::counted> {
 public:
  using Word = typename Operation::Word;
  using Shard = FrontierShard<Word, Operation::counted>;
  using Sink = ChunkSink<Word, Operation::counted>;

  explicit OperationOfThreads(std::vector<Operation>& workers) : workers_(workers) {}

  void enter(std::size_t level, Team& team) override {
    if constexpr (requires { workers_[0].enter(level, team); }) workers_[0].enter(level, team);
  }
  void leave(std::size_t level) override {
    if constexpr (requires { workers_[0].leave(level); }) workers_[0].leave(level);
  }
  void expand(unsigned thread, std::size_t level, const Word* words, NodeId rows,
              Sink& sink) override {
    Operation& worker = workers_[thread];
    const Word* ahead = words;
    prefetch(level, worker, ahead, std::min(look_ahead, rows));
    for (NodeId row = 0; row < rows; ++row) {
      if (row + look_ahead < rows) prefetch(level, worker, ahead, 1);
      const auto tuple = Shard::next(words);
      sink.begin_row(tuple.multiplicity);
      worker.children(level, tuple, sink);
    }
  }
  void values(unsigned thread, const Word* words, NodeId rows, NodeId* ids) override {
    for (NodeId row = 0; row < rows; ++row) ids[row] = workers_[thread].value(Shard::next(words));
  }
  void try_level(const std::function<bool()>& expand_level) override {
    std::vector<Operation> before = workers_;
    if (expand_level()) workers_ = std::move(before);
  }

 private:
  static constexpr NodeId look_ahead = 4;

  static void prefetch(std::size_t level, const Operation& worker, const Word*& ahead,
                       NodeId tuples) {
    if constexpr (requires { worker.prefetch(level, Shard::next(ahead)); }) {
      for (NodeId i = 0; i < tuples; ++i) worker.prefetch(level, Shard::next(ahead));
    }
  }

  std::vector<Operation>& workers_;
};

template <class Word, bool counted>
class Expander {
 public:
  using Shard = FrontierShard<Word, counted>;
  using Sink = ChunkSink<Word, counted>;

  Expander(const Domains& domains, NodeId constants, ChunkOperation<Word, counted>& operation,
           const Options& options, Team& team)
      : domains_(domains),
        constants_(constants),
        operation_(operation),
        options_(options),
        team_(team),
        store_(options),
        buffers_(team.size()) {}

  Passed<Expansion> run(std::span<const Word> root) {
    current_.begin({constants_, 0}, 1, rows_per_chunk(values_at(0)));
    current_.shard(0).find_or_add(root.data(), static_cast<std::uint32_t>(root.size()),
                                  hash_words(root.data(), root.size()), 1);
    for (std::size_t l = 0; l < domains_.size(); ++l) {
      operation_.enter(l, team_);
      if (const auto stop = expand_level(l)) return tl::unexpected(*stop);
      operation_.leave(l);
      std::swap(current_, next_);
    }
    auto bottom = bottom_values();
    if (!bottom) return tl::unexpected(bottom.error());
    return Expansion{std::move(store_), std::move(*bottom)};
  }

 private:
  struct ShardRange {
    std::size_t shard, chunk;
    NodeId first, rows;
  };
  using ShardRanges = std::vector<ShardRange>;

  Value values_at(std::size_t l) const { return l < domains_.size() ? domains_[l] : 1; }

  // Rows per chunk of the level below l. Long tuples make smaller chunks: limits are checked
  // between chunks, and the output of a chunk stays in memory until then.
  std::size_t chunk_rows_below(std::size_t l) const {
    constexpr std::size_t max_bytes = std::size_t{1} << 25;
    const std::size_t tuple_bytes =
        current_.tuple_bytes() / std::max<std::size_t>(1, current_.rows());
    const std::size_t row_bytes = std::max<std::size_t>(1, values_at(l + 1) * tuple_bytes);
    return std::clamp<std::size_t>(max_bytes / row_bytes, 1, rows_per_chunk(values_at(l + 1)));
  }

  ShardRanges places() const {
    ShardRanges result;
    for (std::size_t s = 0; s < current_.shards(); ++s) {
      for (std::size_t c = 0; c < current_.chunks(s); ++c) {
        const std::size_t first = c * current_.rows_per_chunk();
        const std::size_t rows = std::min(current_.rows_per_chunk(), current_.size(s) - first);
        result.push_back({s, c, static_cast<NodeId>(first), static_cast<NodeId>(rows)});
      }
    }
    return result;
  }

  // Expands a level in memory if it seems to fit and does, else through files.
  std::optional<Stop> expand_level(std::size_t l) {
    store_.begin_level(current_.sharding(), current_.rows_by_shard());
    const Sharding sharding{constants_, shard_bits(current_.rows())};
    if (options_.scratch_folder.empty()) return expand_in_memory(l, sharding);
    if (current_.tuple_bytes() * 3 < options_.frontier_in_memory) {
      std::optional<Stop> stop;
      bool failed = false;
      operation_.try_level([&] {
        stop = expand_in_memory(l, sharding);
        return failed = stop == Stop::memory && too_large();
      });
      if (!failed) return stop;
      store_.clear_level();
    }
    return expand_through_files(l, sharding);
  }

  bool too_large() const {
    return !options_.scratch_folder.empty() &&
           current_.bytes() + next_.bytes() > options_.frontier_in_memory;
  }

  // Calls take(chunks of a round) after each round has been expanded into the sinks.
  template <class Take>
  std::optional<Stop> expand_rounds(std::size_t l, const Sharding& sharding, Take take) {
    const ShardRanges all = places();
    const std::size_t round = team_.size() == 1 ? 2 : 8 * team_.size();
    sinks_.resize(round);
    for (std::size_t begin = 0; begin < all.size(); begin += round) {
      if (const auto stop = exceeded(options_.limits)) return stop;
      const auto chunks = std::span(all).subspan(begin, std::min(round, all.size() - begin));
      if (const auto stop = expand_chunks(l, sharding, chunks)) return stop;
      if (const auto stop = take(chunks.size())) return stop;
      for (std::size_t i = 0; i < chunks.size(); ++i) {
        const ShardRange& place = chunks[i];
        if (!store_.add({place.shard, place.first, place.rows, sinks_[i].take_codes()})) {
          return Stop::scratch_failure;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Stop> expand_chunks(std::size_t l, const Sharding& sharding,
                                    std::span<const ShardRange> chunks) {
    std::atomic<bool> unreadable = false;
    team_.run(chunks.size(), [&](unsigned thread, std::size_t i) {
      const Word* words = current_.read(chunks[i].shard, chunks[i].chunk, buffers_[thread]);
      if (words == nullptr) {
        unreadable = true;
        return;
      }
      sinks_[i].begin(sharding, chunks[i].rows, domains_[l], options_.longest_tuple);
      operation_.expand(thread, l, words, chunks[i].rows, sinks_[i]);
    });
    if (unreadable) return Stop::scratch_failure;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (sinks_[i].too_long()) return Stop::tuple_too_long;
    }
    return std::nullopt;
  }

  std::optional<Stop> expand_in_memory(std::size_t l, const Sharding& sharding) {
    next_.begin(sharding, current_.rows(), chunk_rows_below(l));
    return expand_rounds(l, sharding, [&](std::size_t chunks) -> std::optional<Stop> {
      team_.run(next_.shards(), [&](unsigned, std::size_t shard) {
        for (std::size_t i = 0; i < chunks; ++i) sinks_[i].deliver(shard, next_.shard(shard));
      });
      team_.run(chunks, [&](unsigned, std::size_t i) { sinks_[i].note_codes(); });
      if (sharding.codes(next_.largest()) > code_limit) return Stop::too_many_nodes;
      if (too_large()) return Stop::memory;
      return std::nullopt;
    });
  }

  std::optional<Stop> expand_through_files(std::size_t l, const Sharding& sharding) {
    const auto& folder = options_.scratch_folder;
    auto spill = TupleSpill<Word, counted>::create(sharding.shards(), folder);
    auto places = IndexFile::create(sharding.shards(), folder);
    if (!spill || !places || !next_.begin_file(sharding, chunk_rows_below(l), folder)) {
      return Stop::scratch_failure;
    }
    const auto stop = expand_rounds(l, sharding, [&](std::size_t chunks) -> std::optional<Stop> {
      for (std::size_t i = 0; i < chunks; ++i) {
        if (!spill->add(sinks_[i])) return Stop::scratch_failure;
      }
      return std::nullopt;
    });
    if (stop) return stop;
    if (!spill->flush_all()) return Stop::scratch_failure;
    if (const auto failed = merge_shards(*spill, *places)) return failed;
    return fill_in_places(store_, sharding, *places, options_.limits);
  }

  // Finds equal tuples, one shard in memory at a time.
  std::optional<Stop> merge_shards(const TupleSpill<Word, counted>& spill, IndexFile& places) {
    Shard shard;
    std::vector<NodeId> order;
    for (std::size_t s = 0; s < next_.shards(); ++s) {
      if (const auto stop = exceeded(options_.limits)) return stop;
      shard.reset(0, next_.rows_per_chunk());
      order.clear();
      if (!spill.deliver(s, shard, order) || !places.write(s, order) || !next_.store(s, shard)) {
        return Stop::scratch_failure;
      }
    }
    return next_.sharding().codes(next_.largest()) > code_limit
               ? std::optional(Stop::too_many_nodes)
               : std::nullopt;
  }

  Passed<IdsByCode> bottom_values() {
    constexpr std::size_t round = 256;
    IdsByCode values(current_.sharding(), current_.rows_by_shard());
    const ShardRanges all = places();
    for (std::size_t begin = 0; begin < all.size(); begin += round) {
      if (const auto stop = exceeded(options_.limits)) return tl::unexpected(*stop);
      const auto chunks = std::span(all).subspan(begin, std::min(round, all.size() - begin));
      if (!find_values(chunks, values)) return tl::unexpected(Stop::scratch_failure);
    }
    return values;
  }

  // Returns false if the tuples cannot be read.
  bool find_values(std::span<const ShardRange> chunks, IdsByCode& values) {
    std::atomic<bool> unreadable = false;
    team_.run(chunks.size(), [&](unsigned thread, std::size_t i) {
      const Word* words = current_.read(chunks[i].shard, chunks[i].chunk, buffers_[thread]);
      if (words == nullptr) {
        unreadable = true;
        return;
      }
      operation_.values(thread, words, chunks[i].rows,
                        values.from(chunks[i].shard, chunks[i].first));
    });
    return !unreadable;
  }

  const Domains& domains_;
  NodeId constants_;
  ChunkOperation<Word, counted>& operation_;
  const Options& options_;
  Team& team_;
  ChildStore store_;
  Frontier<Word, counted> current_, next_;
  std::vector<Sink> sinks_;
  std::vector<std::vector<Word>> buffers_;  // by thread: tuples read from a file
};

// Runs both passes. `workers` has one operation per thread; their collected data is in them
// afterwards.
template <class Operation>
Passed<Diagram> construct(const Domains& domains, NodeId constants,
                          std::span<const typename Operation::Word> root,
                          std::vector<Operation>& workers, Reduction reduction,
                          const Options& options) {
  return within_memory([&]() -> Passed<Diagram> {
    Team team(static_cast<unsigned>(workers.size()));
    OperationOfThreads<Operation> operation(workers);
    using Pass = Expander<typename Operation::Word, Operation::counted>;
    auto expansion = Pass(domains, constants, operation, options, team).run(root);
    if (!expansion) return tl::unexpected(expansion.error());
    return reduce(domains, constants, std::move(*expansion), reduction, options, team);
  });
}

template <class Operation>
Passed<Diagram> construct(const Domains& domains, NodeId constants,
                          std::span<const typename Operation::Word> root,
                          const Operation& operation, Reduction reduction, const Options& options) {
  std::vector<Operation> workers(std::max(1u, options.threads), operation);
  return construct(domains, constants, root, workers, reduction, options);
}

}  // namespace zermelo::dd

// Iterative-deepening alpha-beta for two-player games in which one decides at a time.
//
//   AlphaBeta search(engine, {});
//   AlphaBetaReport report = search.search(state, {.seconds = 1s});
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "search/engine.h"

namespace zermelo::search {

struct AlphaBetaOptions {
  std::size_t table_bytes = std::size_t{64} << 20;
};

struct AlphaBetaBudget {
  std::optional<std::chrono::duration<double>> seconds;
  unsigned depth = 1'000;  // at most so many joint moves
};

struct AlphaBetaReport {
  Move move = 0;          // of the role that decides
  int value = 0;          // the goal of the first role less that of the second
  unsigned depth = 0;     // searched completely
  bool is_exact = false;  // no line was cut off by the depth
};

class AlphaBeta {
 public:
  // Fails with not_applicable for a game without exactly two roles, or where both are seen to
  // decide at once in random games.
  static base::Result<AlphaBeta> make(std::shared_ptr<const Engine> engine,
                                      const AlphaBetaOptions& options);

  // The state must not be terminal.
  AlphaBetaReport search(const State& state, const AlphaBetaBudget& budget);

 private:
  enum class Bound : std::uint8_t { none, lower, upper, exact };
  struct Entry {
    std::uint64_t key = 0;
    Move move = 0;
    std::int16_t value = 0;
    std::uint16_t depth = 0;
    Bound bound = Bound::none;
    bool complete = false;  // nothing below was cut off by the depth
  };
  struct Value {
    int value = 0;
    bool complete = true;
    Move move = 0;  // the best, where one is made
  };

  AlphaBeta(std::shared_ptr<const Engine> engine, const AlphaBetaOptions& options);

  Value visit(const State& state, unsigned depth, int alpha, int beta);
  Value visit_moves(const State& state, std::uint64_t key, unsigned depth, int alpha, int beta);
  int evaluate();
  std::vector<Move> ordered_moves(std::size_t role, std::uint64_t key);
  Entry& entry(std::uint64_t key) { return table_[key % table_.size()]; }
  bool out_of_time();

  std::shared_ptr<const Engine> engine_;
  std::unique_ptr<Walker> walker_;
  std::vector<Entry> table_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool stopped_ = false;
};

}  // namespace zermelo::search

// Iterative-deepening alpha-beta for two-player games in which one decides at a time.
//
//   auto search = AlphaBeta::make(simulator, {});
//   AlphaBetaReport report = search->search(state, {.seconds = 1s});
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "search/simulator.h"

namespace zermelo::search {

struct AlphaBetaOptions {
  std::size_t table_bytes = std::size_t{64} << 20;
};

struct AlphaBetaBudget {
  std::optional<std::chrono::duration<double>> seconds;
  unsigned depth = 1'000;  // at most so many joint moves
};

struct AlphaBetaReport {
  Move move = 0;       // of the role that decides; of the first where nobody has a choice
  int value = 0;       // the goal of the first role less that of the second
  unsigned depth = 0;  // searched completely
  // The depth cut off no line that matters: value and move are those of best play. True only if one
  // role decides at a time, also where random games did not get, and goals are opposed: what is
  // better for one role is worse for the other.
  bool is_exact = false;
};

class AlphaBeta {
 public:
  // Fails with not_applicable for a game without exactly two roles, or where both are seen to
  // decide at once in random games.
  static base::Result<AlphaBeta> make(std::shared_ptr<const Simulator> simulator,
                                      const AlphaBetaOptions& options);

  // The state must not be terminal, and every role must have a move in it. Ends before the budget
  // where the result is exact. Who searches before every move comes to the end of a won game, also
  // where states recur, if there is time enough to find the win.
  AlphaBetaReport search(const State& state, const AlphaBetaBudget& budget);

 private:
  enum class Bound : std::uint8_t { lower, upper, exact };
  struct Entry {
    std::uint64_t key = 0;
    Move move = 0;
    std::uint32_t depth = 0;
    std::uint32_t search = 0;  // that found it; 0 where there is nothing
    std::int16_t value = 0;
    Bound bound = Bound::exact;
    bool complete = false;  // nothing that matters was cut off by the depth
  };
  // The table comes from calloc, so that the system gives its memory as it is used: a game of few
  // states does not pay for all of it.
  struct FreeTable {
    void operator()(Entry* table) const { std::free(table); }
  };
  struct Value {
    int value = 0;
    bool complete = true;
    Move move = 0;  // the best, where one is made
  };
  struct Window {
    int alpha = 0;
    int beta = 0;
  };

  AlphaBeta(std::shared_ptr<const Simulator> simulator, const AlphaBetaOptions& options);

  Value visit(const State& state, unsigned depth, Window window);
  Value visit_moves(const State& state, std::uint64_t key, unsigned depth, Window window);
  bool answers(const Entry& known, std::uint64_t key, unsigned depth, Window window) const;
  void remember(std::uint64_t key, const Value& value, unsigned depth, Window window);
  std::size_t decider();
  int goal_difference();
  int estimate();
  std::vector<Move> ordered_moves(std::size_t role, std::uint64_t key);
  Entry& entry(std::uint64_t key) { return table_[key % table_size_]; }
  bool out_of_time();

  std::shared_ptr<const Simulator> simulator_;
  std::unique_ptr<Walker> walker_;
  Window bounds_;  // of the value of any state
  std::size_t table_size_;
  std::unique_ptr<Entry[], FreeTable> table_;
  std::uint32_t search_ = 0;  // the number of this one
  std::unordered_set<std::uint64_t> roots_;
  bool states_recur_ = false;  // some root came again
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool stopped_ = false;
};

}  // namespace zermelo::search

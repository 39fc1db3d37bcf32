// Iterative-deepening alpha-beta for games in which the roles take turns.
//
//   auto search = AlphaBeta::make(simulator, {.evaluator = evaluator});
//   AlphaBetaReport report = search->search(state, {.seconds = 1s});
//
// With more than two roles the search is paranoid: all others play against the role that decides.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "eval/evaluator.h"
#include "search/simulator.h"

namespace zermelo::search {

struct AlphaBetaOptions {
  std::size_t table_bytes = std::size_t{64} << 20;
  // Estimates states at the depth limit; null: by their goals.
  std::shared_ptr<const eval::Evaluator> evaluator = {};
  // Whether unstable states at the depth limit are searched further; requires an evaluator.
  bool quiescence = false;
};

struct AlphaBetaReport {
  std::size_t role = 0;  // that decides; the first if none has a choice
  Move move = 0;         // of the role
  // The role's reward, less the largest of the others.
  int value = 0;
  unsigned depth = 0;  // last depth that was searched completely
  // Whether value and move are those of best play: the depth limit cut off no relevant line. This
  // holds only if the game is turn-taking, also in states that the random games of make() did not
  // reach, and the goals are opposed: what is better for one role is worse for the other.
  bool is_exact = false;
  std::uint64_t nodes = 0;  // visited
};

struct AlphaBetaBudget {
  std::optional<std::chrono::duration<double>> seconds;
  unsigned depth = 1'000;  // limit in joint moves
  std::stop_token stop = {};
  // Called with the result of every depth that was searched completely.
  std::function<void(const AlphaBetaReport&)> depth_done = {};
};

class AlphaBeta {
 public:
  // Fails with not_applicable if the game has one role, or if two roles have a choice in one state
  // of some random games.
  static base::Result<AlphaBeta> make(std::shared_ptr<const Simulator> simulator,
                                      const AlphaBetaOptions& options);

  // Searches for the best move. The state must not be terminal, and every role must have a legal
  // move in it. Returns before the budget is used up if the result is exact. A player who searches
  // before every move wins a won game, even if states can recur, provided that the budget suffices
  // to find the win.
  AlphaBetaReport search(const State& state, const AlphaBetaBudget& budget);

 private:
  static constexpr Move no_move = ~Move{0};

  enum class Bound : std::uint8_t { lower, upper, exact };
  struct Entry {
    std::uint64_t key = 0;
    Move move = 0;
    std::uint32_t depth = 0;
    std::uint32_t search = 0;  // number of the search that stored it; 0 if empty
    std::int16_t value = 0;
    Bound bound = Bound::exact;
    bool complete = false;  // no relevant line was cut off by the depth limit
  };
  // The table is allocated by calloc, so that the system provides pages on first use: a game with
  // few states does not pay for the whole table.
  struct FreeTable {
    void operator()(Entry* table) const { std::free(table); }
  };
  struct Value {
    int value = 0;
    bool complete = true;
    Move move = 0;  // the best move, if any was made
  };
  struct Window {
    int alpha = 0;
    int beta = 0;
  };
  struct Remaining {
    unsigned depth = 0;  // in moves
    unsigned ply = 0;    // moves since the root
  };
  // The moves of a state on the current line.
  struct Ply {
    std::vector<Move> moves;
    std::vector<Move> joint;
    Move killers[2] = {no_move, no_move};  // that refuted other states at this distance
    int estimate = 0;                      // of the state, if the next one is at the depth limit
  };

  AlphaBeta(std::shared_ptr<const Simulator> simulator, const AlphaBetaOptions& options);

  Value visit(Remaining remaining, Window window);
  Value visit_moves(std::uint64_t key, Remaining remaining, Window window);
  Value visit_child(std::size_t index, bool maximises, Remaining remaining, Window window);
  bool is_usable(const Entry& known, std::uint64_t key, unsigned depth, Window window) const;
  void store(std::uint64_t key, const Value& value, unsigned depth, Window window);
  std::size_t decider();
  int goal_difference();
  int difference(std::span<const float> values) const;
  int estimate(const State& state);
  int quiet_value(const State& state, unsigned ply_number, int before, Window window);
  bool list_moves(std::size_t role, std::uint64_t key, Ply& ply);
  void reward(Move move, const Remaining& remaining);
  Ply& ply(unsigned number);
  Entry& entry(std::uint64_t key) { return table_[key % table_size_]; }
  bool out_of_time();

  std::shared_ptr<const Simulator> simulator_;
  std::shared_ptr<const eval::Evaluator> evaluator_;
  bool quiescence_;
  std::unique_ptr<Walker> walker_;
  std::vector<int> max_goals_;  // by role
  std::size_t table_size_;
  std::unique_ptr<Entry[], FreeTable> table_;
  std::vector<std::unique_ptr<Ply>> plies_;
  std::vector<std::uint32_t> history_;  // by move: how often it was the best, deep ones count more
  std::vector<float> estimates_;        // by role
  std::uint32_t search_ = 0;            // number of the current search
  std::size_t role_ = 0;                // that decides at the root
  Window bounds_;                       // range of values
  double usual_change_ = 0;             // mean change of the estimate by a move
  std::unordered_set<std::uint64_t> roots_;
  bool states_recur_ = false;  // some root occurred twice
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::stop_token stop_;
  std::uint64_t nodes_ = 0;
  bool stopped_ = false;
};

}  // namespace zermelo::search

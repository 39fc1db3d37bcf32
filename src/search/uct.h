// Monte-Carlo tree search over joint moves, any number of players.
//
//   Uct uct(simulator, {.threads = 2});
//   uct.set_root(state);
//   uct.search({.seconds = 0.1s});
//   Move move = uct.best_move(role);
//
// The tree is kept when the root moves on. To think on the opponents' time, call search without a
// limit in a thread of its own and stop it by its token.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <shared_mutex>
#include <stop_token>
#include <vector>

#include "search/backup.h"
#include "search/expansion.h"
#include "search/mast.h"
#include "search/selection.h"

namespace zermelo::search {

struct UctOptions {
  SelectionRule selection;
  std::optional<MovingAverage> moving_average;
  std::optional<double> mast;  // the share of moves that playouts choose at random
  bool proofs = true;          // a node is proved by its children; else only what ends the game is
  unsigned threads = 1;
  std::size_t memory_bytes = std::size_t{1} << 30;  // of the tree
  std::size_t most_leaves = 64;                     // evaluated together by one thread
  std::uint64_t seed = 1;
};

// What is left without a limit is unlimited.
struct Budget {
  std::optional<std::chrono::duration<double>> seconds;
  std::optional<std::uint64_t> simulations;
};

struct SearchReport {
  std::uint64_t simulations = 0;  // playouts backed up, and descents that ended in a proved node
  double seconds = 0;
  std::size_t nodes = 0;  // in the tree
  std::size_t bytes = 0;
  std::optional<Rewards> exact;  // the root's value, where it was proved
};

struct MoveReport {
  Move move = 0;
  std::uint64_t visits = 0;
  double value = 0;  // 0 to 1
  std::optional<Rewards> exact;
};

class Uct {
 public:
  // `values`, exact values of states, may be null; they are for a game that was grounded.
  Uct(std::shared_ptr<const Simulator> simulator, UctOptions options,
      std::shared_ptr<const eval::StateValues> values = nullptr);
  ~Uct();

  // None of these may be called while a search runs, nor after one threw. There must be a root
  // before a search. Any reachable state can be one.
  void set_root(const State& state);
  // Ends at a limit after the playouts of a batch, and when told to stop in the middle of them.
  SearchReport search(const Budget& budget, std::stop_token stop = {});
  // The root must not be terminal, and every role must have a legal move in it. Where all is lost,
  // a search without proofs, within the budget, tells which move is the hardest to refute; it goes
  // on with each call.
  Move best_move(std::size_t role, const Budget& resistance = {{}, 1'024});
  std::vector<MoveReport> moves(std::size_t role);

 private:
  class Worker;

  Move most_resistant(std::size_t role, const MoveStatistics& lost, const Budget& budget);
  void open_root();
  void learn_exact_moves(std::size_t role);
  void work(Worker& worker, const Budget& budget, const std::stop_token& stop);
  bool is_over(const Budget& budget, const std::stop_token& stop) const;
  void make_room(const Budget& budget, const std::stop_token& stop);
  std::size_t leaves_now();

  std::shared_ptr<const Simulator> simulator_;
  UctOptions options_;
  std::shared_ptr<const eval::StateValues> values_;
  BackupRule backup_rule_;
  Tree tree_;
  std::optional<Mast> averages_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Uct> doubt_;  // in proved losses, once there was one
  Node* root_ = nullptr;
  std::shared_mutex mutex_;  // shared by those who search, alone for who gives up nodes
  std::atomic<std::uint32_t> clock_ = 0;  // batches so far
  std::atomic<std::uint64_t> simulations_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace zermelo::search

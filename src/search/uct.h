// Monte-Carlo tree search (UCT) over joint moves, for any number of players.
//
//   Uct uct(simulator, {.threads = 2});
//   uct.set_root(state);
//   uct.search({.seconds = 0.1s});
//   Move move = uct.best_move(role);
//
// The tree is kept when the root changes. To ponder, call search without a limit in a thread of its
// own and stop it by its token.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <shared_mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "eval/evaluator.h"
#include "search/backup.h"
#include "search/forced_wins.h"
#include "search/mast.h"
#include "search/regret_matching.h"
#include "search/selection.h"

namespace zermelo::search {

struct UctOptions {
  SelectionRule selection;
  std::optional<MovingAverage> moving_average;
  std::optional<double> mast;  // share of random moves in playouts (epsilon)
  // Instead of decoupled UCT, where several roles decide at once.
  std::optional<RegretMatching> regret_matching = {};
  bool proofs = true;  // prove nodes by their children (MCTS-Solver); otherwise only terminal
                       // states have exact values
  std::optional<ForcedWinRule> forced_wins = ForcedWinRule();  // without effect unless `proofs`
  // Judges leaves; null: random games alone. With a weight below 1, random games count, too.
  std::shared_ptr<const eval::Evaluator> evaluator = {};
  double evaluator_weight = 1;
  unsigned threads = 1;
  std::size_t memory_bytes = std::size_t{1} << 30;  // limit for the tree
  std::size_t max_leaves = 64;                      // evaluated together by one thread
  std::uint64_t seed = 1;
};

// A missing limit means unlimited.
struct Budget {
  std::optional<std::chrono::duration<double>> seconds;
  std::optional<std::uint64_t> simulations;
};

struct SearchReport {
  std::uint64_t simulations = 0;  // playouts backed up, and descents that ended in a proved node
  double seconds = 0;
  std::size_t nodes = 0;  // in the tree
  std::size_t bytes = 0;
  std::uint64_t expansions = 0;  // of states, for proofs of forced wins
  std::optional<Rewards> exact;  // the root's value, if proved
};

struct MoveReport {
  Move move = 0;
  std::uint64_t visits = 0;
  double value = 0;  // 0 to 1
  std::optional<Rewards> exact;
};

class Uct {
 public:
  // `values` gives exact values of states and may be null. It requires a grounded game.
  Uct(std::shared_ptr<const Simulator> simulator, UctOptions options,
      std::shared_ptr<const eval::StateValues> values = nullptr);
  ~Uct();

  // Sets the root, which may be any reachable state. Required before a search. None of the
  // functions may be called while a search runs, nor after one has thrown.
  void set_root(const State& state);
  // Searches until a limit is reached, checked after each batch, or a stop is requested, checked
  // also during playouts.
  SearchReport search(const Budget& budget, std::stop_token stop = {});
  // Returns the best move at the root, which must not be terminal and in which every role must have
  // a legal move. If all moves are proved losses, a search without proofs, within the given budget,
  // finds the move that is hardest to refute. Repeated calls continue that search.
  Move best_move(std::size_t role, const Budget& resistance = {{}, 1'024});
  std::vector<MoveReport> moves(std::size_t role);
  // Adds samples that another search of the same state made, by move in the order of moves(): their
  // numbers and the sums of their values.
  void add_samples(std::size_t role, std::span<const std::uint64_t> visits,
                   std::span<const double> sums);
  // Returns the probabilities of the moves at the root, in the order of moves(). With regret
  // matching, the mixed strategy from which best_move draws if several roles decide; otherwise the
  // shares of the visits.
  std::vector<double> strategy(std::size_t role);

 private:
  class Worker;

  Move most_resistant(std::size_t role, const MoveStatistics& lost, const Budget& budget);
  void open_root();
  void learn_exact_moves();
  void find_exact_moves(std::size_t role);
  void work(Worker& worker, const Budget& budget, const std::stop_token& stop);
  bool is_over(const Budget& budget, const std::stop_token& stop) const;
  void evict_if_full(const Budget& budget, const std::stop_token& stop);
  std::size_t leaves_now();

  std::shared_ptr<const Simulator> simulator_;
  UctOptions options_;
  std::shared_ptr<const eval::StateValues> values_;
  BackupRule backup_rule_;
  Tree tree_;
  std::optional<Mast> averages_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Uct> proofless_search_;  // created at the first proved loss
  Node* root_ = nullptr;
  base::Random final_random_;  // for moves that are drawn from a mixed strategy
  std::shared_mutex mutex_;    // held shared while searching, exclusively while evicting nodes
  std::atomic<std::uint32_t> clock_ = 0;  // number of batches so far
  std::atomic<std::uint64_t> simulations_ = 0;
  std::atomic<std::uint64_t> expansions_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace zermelo::search

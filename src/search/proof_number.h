// Depth-first proof-number search: does a role win by force?
//
//   ProofNumberSearch search(simulator, {});
//   ProofReport report = search.search(state, role, {.expansions = 1'000});
//   if (report.win) play(report.win->move);
//
// A win is the best possible outcome for the role: the largest reward that occurs for it, and 0 for
// all others. A proof holds whatever the others do. Results are kept in a table between searches,
// so a search that ran out of its budget continues where it stopped.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "search/simulator.h"
#include "search/tree.h"

namespace zermelo::search {

struct ProofOptions {
  std::size_t table_bytes = std::size_t{16} << 20;
};

struct ForcedWin {
  std::optional<Move> move;    // of the winner, if it decides in the state
  std::uint32_t distance = 0;  // joint moves until the end on the longest line of the proof
};

struct ProofBudget {
  std::uint64_t expansions = 0;  // states whose moves are listed
  // Whether to count only wins within this many joint moves; such results are kept apart.
  std::optional<std::uint32_t> within = {};
};

struct ProofReport {
  std::optional<ForcedWin> win;
  bool is_refuted = false;       // the role cannot win by force
  std::uint64_t expansions = 0;  // states whose moves were listed
};

// Must be used by one thread only.
class ProofNumberSearch {
 public:
  // Requires at least two roles.
  ProofNumberSearch(std::shared_ptr<const Simulator> simulator, const ProofOptions& options);

  // Searches until the question is answered, the budget is used up, or a stop is requested. The
  // state must not be terminal, and every role must have a legal move in it. States in which
  // several roles have a choice count as not won, so in such games an answer "refuted" only means
  // that there is no win without them.
  ProofReport search(const State& state, std::size_t role, const ProofBudget& budget,
                     const std::stop_token& stop = {});

  // Returns the rewards of a win of the role.
  const Rewards& win_of(std::size_t role) const { return wins_[role]; }

 private:
  using Number = std::uint32_t;
  static constexpr Number infinite = 100'000'000;

  // Identifies a state and the role that tries to win.
  struct Key {
    std::uint64_t high = 0;
    std::uint32_t low = 0;
    bool operator==(const Key&) const = default;
  };
  // Lower bounds on the states that remain to be solved for a proof and for a refutation.
  struct Numbers {
    Number proof = 1;
    Number refutation = 1;
    std::uint32_t distance = 0;  // if proved
    bool by_path = false;        // refuted only because of the states before it
    bool is_proved() const { return proof == 0; }
    bool is_refuted() const { return refutation == 0; }
  };
  struct Entry {
    Key key;
    Number proof = 0;
    Number refutation = 0;
    std::uint32_t distance = 0;
    std::uint32_t work = 0;  // expansions that the numbers took; 0 if the entry is empty
  };
  struct FreeEntries {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  struct Child {
    Move move = 0;
    Key key;
    Numbers numbers;
  };
  // A state on the current line.
  struct Level {
    Key key;
    std::size_t decider = 0;
    bool attacks = false;  // the decider is the role that tries to win
    std::vector<Move> joint;
    std::vector<Child> children;
    // Moves that are not refuted where the attacker decides, not proved where another role does.
    Number open = 0;
  };
  struct Thresholds {
    Number proof = infinite;
    Number refutation = infinite;
  };

  Numbers visit(std::size_t depth, Thresholds thresholds);
  bool expand(std::size_t depth);
  Numbers numbers_of_child(std::size_t depth, const Key& key);
  Numbers first_numbers();
  bool is_on_line(std::size_t depth, const Key& key) const;
  bool is_won();
  static Numbers combine(Level& level);
  static Child& most_proving(Level& level, Number& second);
  Key key_of(const State& state, std::size_t depth) const;
  Level& level(std::size_t depth);
  Entry* bucket(const Key& key) { return &table_[(key.high % buckets_) * bucket_size]; }
  const Entry* find(const Key& key);
  void store(const Key& key, const Numbers& numbers, std::uint64_t work);

  static constexpr std::size_t bucket_size = 4;
  static constexpr std::size_t max_depth = 400;  // of a line, in joint moves

  std::shared_ptr<const Simulator> simulator_;
  std::unique_ptr<Walker> walker_;
  std::size_t roles_;
  std::vector<Rewards> wins_;  // by role
  std::size_t buckets_;
  std::unique_ptr<Entry[], FreeEntries> table_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t attacker_ = 0;
  std::uint64_t expansions_ = 0;
  bool was_too_deep_ = false;  // some line reached the depth limit
  ProofBudget budget_;
  std::stop_token stop_;
};

}  // namespace zermelo::search

// Concept decomposition search: the best line of a single-player game with subgames, by searching
// the subgames apart and interleaving their plans.
//
//   auto game = FactoredGame::make(machine, *analysis::find_subgames(*machine->compiled()), root);
//   ConceptSearch search(**game);
//   search.run([&] { return limits.exceeded().has_value(); });
//   search.best();
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "search/decomposition/factored_game.h"
#include "search/decomposition/local_plans.h"

namespace zermelo::search::decomposition {

struct FactoredLine {
  int reward = 0;
  std::vector<Move> moves;  // from the root to the end of the game
};

class ConceptSearch {
 public:
  // The game must outlive this.
  explicit ConceptSearch(FactoredGame& game);
  ~ConceptSearch();

  // Searches until the best line is proved, nothing is left to search, or `is_due` returns true; it
  // is asked every few milliseconds. May be called again. Returns false if it was interrupted.
  bool run(const std::function<bool()>& is_due);

  // The best line so far.
  const std::optional<FactoredLine>& best() const { return best_; }
  // Whether no line is better. Without a line: whether none ends the game.
  bool is_optimal() const { return is_optimal_; }

  // The number of states of subgames computed so far, with and without duplicates.
  std::size_t computed_states() const;
  std::size_t distinct_states() const;

 private:
  class Choice;

  bool deepen(const std::function<bool()>& is_due);
  bool is_deep_enough() const;
  bool is_complete() const;
  bool choose(const std::function<bool()>& is_due);
  void try_plans(const std::vector<std::size_t>& chosen);
  std::optional<std::uint32_t> length_of(const std::vector<std::size_t>& chosen) const;
  std::optional<std::vector<Move>> combine(const std::vector<std::size_t>& chosen);
  std::optional<FactoredLine> replay(std::vector<Move> moves) const;
  std::optional<std::vector<Move>> interleave(const std::vector<std::size_t>& chosen);
  std::optional<std::vector<Move>> make_at_once(const std::vector<std::size_t>& chosen);
  std::optional<Move> move_to(machine::Cursor& cursor, const State& next, const State& mask) const;

  FactoredGame& game_;
  std::vector<std::unique_ptr<LocalPlans>> parts_;
  std::vector<std::size_t> tried_;  // by part: its plans that were combined with each other
  std::unique_ptr<Choice> choice_;  // the combinations that are still to be tried
  std::optional<FactoredLine> best_;
  std::uint32_t depth_ = 0;  // the number of moves of the longest plans
  bool is_optimal_ = false;
  bool is_exact_ = true;  // the machine agreed with all combined plans
};

}  // namespace zermelo::search::decomposition

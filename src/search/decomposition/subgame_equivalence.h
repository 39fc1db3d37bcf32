// Equivalent states of subgames: exchanging one for another changes the value of no state.
//
//   if (auto reduction = SubgameEquivalence::find(machine, decomposition)) {
//     solve::solve_explicit(machine, {.reduction = std::move(reduction)});
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/subgames.h"
#include "base/limits.h"
#include "machine/machine.h"
#include "solve/explicit/state_reduction.h"

namespace zermelo::search::decomposition {

class SubgameEquivalence : public solve::StateReduction {
 public:
  // Null unless the game has at least two subgames, at most one role has a choice at any time, and
  // the states of the subgames are few; also at a limit.
  static std::shared_ptr<SubgameEquivalence> find(std::shared_ptr<const machine::Machine> machine,
                                                  analysis::Decomposition decomposition,
                                                  const base::Limits& limits = {});

  void reduce(machine::State& state) override;

  std::size_t parts() const { return parts_.size(); }
  // Of all parts together.
  std::size_t part_states() const;
  std::size_t classes() const;
  // The number of tuples of classes: an upper bound on the states that are left.
  double combinations() const;
  // How many tuples of states have one tuple of classes, on average.
  double merged_states() const;
  bool is_parallel() const { return found_.is_parallel; }

 private:
  using State = machine::State;
  using LocalIndex = std::uint32_t;

  struct Part {
    State mask;
    std::vector<bool> is_move;                // by move
    std::vector<State> states;                // without the fluents of others
    std::vector<std::vector<bool>> concepts;  // by state: the values of its local concepts
    std::vector<bool> ends_game;              // by state: the game is over, whatever the others do
    std::vector<std::vector<LocalIndex>> next;  // by state and time: the different successors
    std::vector<LocalIndex> class_of, representative;  // by state; by class
    std::unordered_map<State, LocalIndex> numbers;
  };
  class Concepts;

  SubgameEquivalence(std::shared_ptr<const machine::Machine> machine,
                     analysis::Decomposition decomposition);

  bool make_parts();
  bool find_times();
  bool explore(Part& part, Concepts& concepts, std::size_t index, const base::Limits& limits);
  bool expand(Part& part, LocalIndex index, std::size_t time);
  LocalIndex insert(Part& part, const State& state) const;
  bool find_classes(Part& part, const base::Limits& limits) const;

  std::shared_ptr<const machine::Machine> machine_;
  analysis::Decomposition found_;
  machine::Cursor cursor_;
  State root_, time_mask_, read_mask_;
  std::vector<State> times_;                        // that differ in what the parts read
  std::vector<std::optional<std::size_t>> movers_;  // by time; nothing: nobody had a choice so far
  std::vector<bool> is_of_part_;                    // by move
  std::vector<Part> parts_;
};

}  // namespace zermelo::search::decomposition

// A single-player game as its subgames: what they share is the time, the end and the reward.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/concepts.h"
#include "analysis/rule_evaluator.h"
#include "analysis/subgames.h"
#include "base/result.h"
#include "machine/machine.h"

namespace zermelo::search::decomposition {

using machine::Move;
using machine::State;

// A number for the values of all local concepts of a part in some state (Definition 6), or of its
// terminal concepts only. Numbers belong to the part.
using Evaluation = std::uint32_t;

struct Evaluations {
  Evaluation all = 0;
  Evaluation terminal = 0;
};

class FactoredGame {
 public:
  // Plans start at the root. Fails with not_applicable unless the game has one role, at least two
  // parts, and parts that can be searched apart: either all moves are made in all parts, or every
  // part is kept by the moves of the others and none reads the time.
  static base::Result<std::unique_ptr<FactoredGame>> make(
      std::shared_ptr<const machine::Machine> machine, const analysis::Decomposition& found,
      const State& root);

  const std::shared_ptr<const machine::Machine>& machine() const { return machine_; }
  const State& root() const { return root_; }
  bool is_parallel() const { return is_parallel_; }
  // Whether legal moves or the next states of parts depend on the time.
  bool reads_time() const { return reads_time_; }

  // The parts that moves act in. If the number of moves matters and some moves act nowhere, waiting
  // is a part too, without fluents.
  std::size_t parts() const { return parts_.size(); }
  const std::vector<std::uint32_t>& moves(std::size_t part) const { return parts_[part].moves; }
  const State& mask(std::size_t part) const { return parts_[part].mask; }

  // Any state of which the part is in the local state. The time is that after so many steps.
  State state_with(std::size_t part, const State& local, std::uint32_t steps);
  Evaluations evaluate(std::size_t part, const State& local);
  // The time after so many steps; nothing if there is no such time.
  std::optional<Evaluations> evaluate_time(std::uint32_t steps) const;

  // Whether end or reward may depend on the number of steps.
  bool is_timed() const { return is_timed_; }
  // Whether the time changes what ends the game before it ends the game by itself.
  bool has_phases() const { return has_phases_; }
  // The number of steps after which the time ends the game in any case.
  std::optional<std::uint32_t> horizon() const { return horizon_; }

  // Of terminal evaluations, by part, and the time's.
  bool is_terminal(std::span<const Evaluation> parts, Evaluation time);
  // Whether the part ends the game, whatever the others do. Of a terminal evaluation.
  bool ends_alone(std::size_t part, Evaluation evaluation);
  // The reward (base/reward.h) of evaluations; nothing if the game is not over.
  std::optional<int> reward(std::span<const Evaluation> parts, Evaluation time);
  int highest_reward() const;

 private:
  // A set of concepts with the evaluations met so far.
  struct Part {
    std::vector<std::uint32_t> moves;
    State mask;
    std::vector<ground::Atom> concepts;
    std::vector<bool> is_of_terminal;  // by concept
    std::unique_ptr<analysis::RuleEvaluator> evaluator;
    std::vector<std::vector<bool>> values, terminal_values;  // by evaluation
    std::map<std::vector<bool>, Evaluation> numbers, terminal_numbers;
    std::map<Evaluation, bool> ends_alone;
  };

  FactoredGame(std::shared_ptr<const machine::Machine> machine,
               const analysis::Decomposition& found, const State& root);

  Part make_part(const std::vector<std::uint32_t>& subgames, const analysis::Decomposition& found,
                 const std::vector<analysis::LocalConcept>& concepts) const;
  void run_time();
  Evaluations evaluate(Part& part, const State& state);
  Part& at(std::size_t part) { return part == parts_.size() ? time_ : parts_[part]; }
  void assume(const Part& part, Evaluation evaluation);
  void assume_terminal(const Part& part, Evaluation evaluation);
  bool add_time();
  std::optional<std::size_t> time_index(std::uint32_t steps) const;

  std::shared_ptr<const machine::Machine> machine_;
  const ground::Game& game_;
  State root_;
  bool is_parallel_, reads_time_ = false;
  machine::Cursor cursor_;
  std::vector<Part> parts_;
  Part time_;
  std::unique_ptr<analysis::RuleEvaluator> terminal_, goals_;  // of concepts
  analysis::AtomBounds bounds_;
  std::vector<State> times_;  // by step: the action-independent fluents
  std::vector<Evaluations> time_evaluations_;
  std::optional<std::size_t> time_cycle_;  // times repeat from the last one to this one
  bool time_ends_ = false;                 // no state has a time after the last one
  bool is_timed_ = false, has_phases_ = false;
  std::optional<std::uint32_t> horizon_;
  std::map<std::vector<Evaluation>, bool> is_terminal_;
  std::map<std::vector<Evaluation>, std::optional<int>> rewards_;
};

}  // namespace zermelo::search::decomposition

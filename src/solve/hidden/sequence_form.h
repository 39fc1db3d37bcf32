// The sequence form of a game with hidden information: what one player, or two against each other,
// can do, and what comes of it.
//
//   auto form = SequenceForm::make(machine, OpponentModel::own, limits);
//   const Plan plan = form->uniform_plan(1);
//   best_response(*form, 0, plan);      // best_response.h
//
// A player is a role other than `random`. A decision is an information set in which it has several
// legal moves. A sequence is a list of its own moves at decisions; sequence 0 is empty. Since
// players remember what they saw and did (perfect recall), the information set determines the
// sequence that leads to it. So a strategy is a realisation plan: a weight for every sequence, the
// product of the probabilities of its moves.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "know/developments.h"
#include "machine/machine.h"
#include "solve/common/opponent_model.h"

namespace zermelo::solve {

// By sequence of a player: 1 for the empty sequence; those of a decision add up to the weight of
// the sequence before it.
using Plan = std::vector<double>;

struct Decision {
  std::uint32_t before;           // the sequence that leads to it
  std::uint32_t first;            // the sequence of its first move; those of the others follow
  std::vector<know::Move> moves;  // sorted by name
  std::uint32_t round;
  std::uint32_t information;  // its information set, in the round
};

class SequenceForm {
 public:
  // The expected payoff of one pair of sequences: for the first player, times the probability of
  // the choices of `random`.
  struct Entry {
    std::uint32_t row, column;  // sequences of the first and of the second player
    double payoff;
  };
  // What a player did and then saw in a round.
  struct Memory {
    std::string move;
    bool had_choice = false;  // whether there were other legal moves
    std::vector<std::string> percepts;
  };

  // Fails with not_applicable, naming the missing property: more than two players; two players
  // whose rewards do not have a constant sum, unless the model is `difference`; a player who does
  // not know its legal moves; a role without a legal move. Fails with the limit that is reached.
  static base::Result<SequenceForm> make(std::shared_ptr<const machine::Machine> machine,
                                         OpponentModel model, const base::Limits& limits);

  std::size_t players() const { return developments_->agents().size(); }
  const know::Developments& developments() const { return *developments_; }
  // Of a player, in the order of rounds: a decision comes after those that lead to it. There are
  // two players here; the second has no decisions if nobody plays it.
  const std::vector<Decision>& decisions(std::size_t player) const { return decisions_[player]; }
  std::size_t sequences(std::size_t player) const { return sequences_[player]; }
  // Sorted, without duplicates and without zeros.
  const std::vector<Entry>& entries() const { return entries_; }

  // The reward of a player is its payoff plus this. With the model `difference` it is 0, and the
  // payoff is the lead.
  double offset() const { return offset_; }
  // The difference between the largest and the smallest payoff of a terminal state.
  double range() const { return largest_ - smallest_; }
  // A bound on the rounding errors of a value that is computed from all entries.
  double rounding_error() const;

  std::uint64_t worlds() const { return worlds_; }
  std::uint64_t terminal_worlds() const { return terminal_worlds_; }

  Plan uniform_plan(std::size_t player) const;
  // Adds up what every sequence of the player earns against a plan of the other, without what
  // follows it. The payoffs of the second player are the negative ones of the first.
  void earnings(std::size_t player, std::span<const double> other, Plan& result) const;
  // Corrects a plan for rounding errors: no weight is negative, and sums are right. A decision that
  // the plan does not reach gets uniform probabilities.
  void normalise(std::size_t player, Plan& plan) const;
  // By move of the decision.
  std::vector<double> probabilities(const Decision& decision, const Plan& plan) const;
  // By round, from the first.
  std::vector<Memory> memory(std::size_t player, const Decision& decision) const;

 private:
  friend class SequenceFormBuilder;
  SequenceForm() = default;

  // The decision whose move ends the sequence; null for the empty sequence.
  const Decision* decision_with(std::size_t player, std::uint32_t sequence) const;

  std::shared_ptr<const know::Developments> developments_;
  std::array<std::vector<Decision>, 2> decisions_;
  std::array<std::size_t, 2> sequences_ = {1, 1};
  std::vector<Entry> entries_;
  double offset_ = 0, smallest_ = 0, largest_ = 0;
  std::uint64_t worlds_ = 0, terminal_worlds_ = 0;
};

}  // namespace zermelo::solve

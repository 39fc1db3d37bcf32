// CFR+: approximates an equilibrium of two players by playing the game against itself.
//
//   CfrPlus cfr(form);
//   while (with_bounds(form, cfr.average()).exploitability() > wanted) cfr.iterate();
#pragma once

#include <array>
#include <cstdint>

#include "solve/hidden/sequence_form.h"

namespace zermelo::solve {

class CfrPlus {
 public:
  // The form must outlive this.
  explicit CfrPlus(const SequenceForm& form);

  // Updates the strategies of both players, one after the other.
  void iterate();
  std::uint64_t iterations() const { return iterations_; }
  // The average plans, normalised. They converge to an equilibrium.
  std::array<Plan, 2> average() const;

 private:
  struct Learner {
    Plan regrets;  // by sequence, not negative
    Plan current;  // the plan of the next iteration
    Plan sum;      // of the plans so far, with weights
  };

  void update(std::size_t player);
  void match_regrets(std::size_t player);

  const SequenceForm& form_;
  std::array<Learner, 2> learners_;
  Plan worth_;  // of the sequences, during an update
  std::uint64_t iterations_ = 0;
};

}  // namespace zermelo::solve

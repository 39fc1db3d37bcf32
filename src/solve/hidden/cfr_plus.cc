// CFR+ (Tammelin, "Solving Large Imperfect Information Games Using CFR+", 2014; Bowling, Burch,
// Johanson and Tammelin, "Heads-up Limit Hold'em Poker is Solved", 2015), on the sequence form.
//
// Counterfactual regret minimisation (Zinkevich, Johanson, Bowling and Piccione 2007) has a learner
// in every information set. The counterfactual value of a move is what it earns, weighted by the
// probability that chance and the opponent permit it, as if the player wanted to get there. The
// regret of a move is the sum over all iterations of its value minus that of the strategy that was
// played. Regret matching plays every move in proportion to its positive regret. The overall regret
// of a player is at most the sum over its information sets, so the average strategies of two
// players with opposite payoffs converge to an equilibrium.
//
// CFR+ differs in three ways. A regret that falls below 0 is set to 0, so a move that becomes good
// is played at once. The players are updated alternately: the second already sees the new strategy
// of the first. And the plan of iteration t counts t times in the average, because early ones are
// bad. There is no sampling and no randomness.
//
// In the sequence form, the counterfactual values of all moves are one product of the matrix and
// the opponent's plan, plus one pass over the decisions from the last to the first. A realisation
// plan already contains the probability of reaching a decision by the player's own moves, by which
// the average strategy is to be weighted. So the average is simply that of the plans. An iteration
// takes time linear in the entries and sequences.

#include "solve/hidden/cfr_plus.h"

#include <algorithm>

namespace zermelo::solve {

CfrPlus::CfrPlus(const SequenceForm& form) : form_(form) {
  for (std::size_t player = 0; player < 2; ++player) {
    Learner& learner = learners_[player];
    learner.regrets.assign(form.sequences(player), 0.0);
    learner.sum = learner.regrets;
    learner.current = form.uniform_plan(player);
  }
}

void CfrPlus::iterate() {
  ++iterations_;
  for (std::size_t player = 0; player < 2; ++player) update(player);
}

void CfrPlus::update(std::size_t player) {
  Learner& learner = learners_[player];
  form_.earnings(player, learners_[1 - player].current, worth_);
  const auto& decisions = form_.decisions(player);
  for (auto decision = decisions.rbegin(); decision != decisions.rend(); ++decision) {
    const std::size_t first = decision->first, end = first + decision->moves.size();
    double regret_sum = 0, value = 0;
    for (std::size_t s = first; s < end; ++s) {
      regret_sum += learner.regrets[s];
      value += learner.regrets[s] * worth_[s];
    }
    if (regret_sum > 0) {
      value /= regret_sum;
    } else {  // the current strategy is uniform here
      for (std::size_t s = first; s < end; ++s) value += worth_[s];
      value /= static_cast<double>(end - first);
    }
    for (std::size_t s = first; s < end; ++s)
      learner.regrets[s] = std::max(learner.regrets[s] + worth_[s] - value, 0.0);
    worth_[decision->before] += value;
  }
  const auto weight = static_cast<double>(iterations_);
  for (std::size_t s = 0; s < learner.sum.size(); ++s)
    learner.sum[s] += weight * learner.current[s];
  match_regrets(player);
}

// Regret matching: the plan of the next iteration.
void CfrPlus::match_regrets(std::size_t player) {
  Learner& learner = learners_[player];
  for (const Decision& decision : form_.decisions(player)) {
    const std::size_t first = decision.first, end = first + decision.moves.size();
    double sum = 0;
    for (std::size_t s = first; s < end; ++s) sum += learner.regrets[s];
    const double before = learner.current[decision.before];
    for (std::size_t s = first; s < end; ++s) {
      learner.current[s] =
          sum > 0 ? before * (learner.regrets[s] / sum) : before / static_cast<double>(end - first);
    }
  }
}

std::array<Plan, 2> CfrPlus::average() const {
  std::array<Plan, 2> plans = {learners_[0].sum, learners_[1].sum};
  for (std::size_t player = 0; player < 2; ++player) form_.normalise(player, plans[player]);
  return plans;
}

}  // namespace zermelo::solve

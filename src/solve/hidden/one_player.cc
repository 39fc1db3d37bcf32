// Expectimax over information sets with rational numbers. Forwards, every world gets the
// probability of the choices of `random` that lead to it: that of its predecessors, divided by the
// number of moves that `random` has there. Each end of the game adds this probability, times the
// reward, to the information set in which the player then is. Backwards, the worth of an
// information set is what was added to it, and that of the best of its moves; the worth of a move
// is the sum over the information sets that can follow. If the player always sees the state, these
// are the values of expectimax, weighted by the probability of getting there.
//
// Probabilities are products of 1/n and rewards are whole numbers, so nothing is rounded.

#include "solve/hidden/one_player.h"

#include <gmpxx.h>

#include <algorithm>
#include <map>

#include "base/limited_steps.h"
#include "base/reward.h"
#include "machine/perft.h"

namespace zermelo::solve {
namespace {

class OnePlayerSolver {
 public:
  OnePlayerSolver(const SequenceForm& form, const base::Limits& limits)
      : form_(form),
        steps_(limits, "solving"),
        developments_(form.developments().shared_machine(),
                      know::DevelopmentsOptions{true, limits}),
        stepper_(form.developments().shared_machine()),
        role_(developments_.agents().front()) {}

  base::Result<OnePlayerSolution> run() {
    std::vector<mpq_class> chance = {1};
    for (;;) {
      std::vector<mpq_class> share = end_worlds(chance);
      const auto more = developments_.advance();
      if (!more) return tl::unexpected(more.error());
      if (!*more) break;
      chance.assign(developments_.last().worlds.size(), 0);
      for (const auto& edge : developments_.edges()) chance[edge.to] += share[edge.from];
    }
    return backwards();
  }

 private:
  // Collects the rewards of the worlds that have ended. Returns by world the chance of each of its
  // continuations.
  std::vector<mpq_class> end_worlds(const std::vector<mpq_class>& chance) {
    const know::Round& round = developments_.last();
    auto& earned = worth_.emplace_back(round.information_set_count(0));
    std::vector<mpq_class> share(round.worlds.size());
    for (std::size_t w = 0; w < round.worlds.size(); ++w) {
      steps_.take();
      const machine::State& state = round.states[round.worlds[w].state];
      if (stepper_.terminal(state)) {
        earned[round.information[0][w]] +=
            chance[w] * base::reward_of(stepper_.goals(state, role_));
        continue;
      }
      unsigned long chances = 1;
      for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
        if (role != role_) chances *= stepper_.legal_moves(state, role).size();
      }
      share[w] = chance[w] / mpq_class(chances);
    }
    return share;
  }

  OnePlayerSolution backwards() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, know::Move> best;  // by round and set
    for (std::size_t number = worth_.size(); number-- > 1;) {
      std::map<std::pair<std::uint32_t, know::Move>, mpq_class> moves;  // by set before and move
      const auto& sets = developments_.round(number).information_sets[0];
      for (std::size_t set = 0; set < sets.size(); ++set)
        moves[{sets[set].before, sets[set].move}] += worth_[number][set];
      add_best(static_cast<std::uint32_t>(number - 1), moves, best);
      worth_.pop_back();
    }
    OnePlayerSolution solution;
    solution.plan.assign(form_.sequences(0), 0.0);
    solution.plan[0] = 1;
    for (const Decision& decision : form_.decisions(0)) {
      const auto move =
          std::ranges::find(decision.moves, best.at({decision.round, decision.information}));
      solution.plan[decision.first + static_cast<std::size_t>(move - decision.moves.begin())] =
          solution.plan[decision.before];
    }
    solution.value = worth_[0][0].get_str();
    return solution;
  }

  // Adds to the sets of the round the worth of their best moves.
  void add_best(std::uint32_t round,
                const std::map<std::pair<std::uint32_t, know::Move>, mpq_class>& moves,
                std::map<std::pair<std::uint32_t, std::uint32_t>, know::Move>& best) {
    for (auto move = moves.begin(); move != moves.end();) {
      const std::uint32_t set = move->first.first;
      auto most = move;
      for (; move != moves.end() && move->first.first == set; ++move) {
        if (move->second > most->second) most = move;
      }
      worth_[round][set] += most->second;
      best[{round, set}] = most->first.second;
    }
  }

  const SequenceForm& form_;
  base::LimitedSteps steps_;
  know::Developments developments_;
  machine::Stepper stepper_;
  std::size_t role_;
  std::vector<std::vector<mpq_class>> worth_;  // by round and information set
};

}  // namespace

base::Result<OnePlayerSolution> solve_one_player(const SequenceForm& form,
                                                 const base::Limits& limits) {
  base::Result<OnePlayerSolution> solution;
  const auto ended = base::within_limits([&] { solution = OnePlayerSolver(form, limits).run(); });
  if (!ended) return tl::unexpected(ended.error());
  return solution;
}

}  // namespace zermelo::solve

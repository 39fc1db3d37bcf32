// Heuristics for evaluating positions, derived from the payoff terms of a game by the two methods
// of the first paper.
//
//   base::Result<Heuristic> heuristic = make_heuristic(machine);
//   HeuristicEvaluator evaluator(machine.theory(), *heuristic);
//   double value = evaluator.value(state.location(), state.structure(), player);
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "toss/description.h"
#include "toss/structure_machine.h"

namespace zermelo::toss {

enum class HeuristicMethod : std::uint8_t {
  automatic,        // rule conditions where moves are many and take nothing away, else existential
  existential,      // sums along the existential quantifiers of the goals
  rule_conditions,  // powers of what is reached of a goal where moves can still complete it
};

struct HeuristicOptions {
  HeuristicMethod method = HeuristicMethod::automatic;
  double alpha = 0.25;          // what a step is worth beside the next one
  double power = 4;             // of what is reached, with rule conditions
  std::size_t many_moves = 30;  // in the initial state, for the automatic choice
  DescriptionOptions description;
};

struct Heuristic {
  HeuristicMethod method = HeuristicMethod::existential;  // the one used
  std::vector<std::vector<TermPtr>> terms;                // by location, player
};

// Fails where the normal forms of the goals are too large.
base::Result<Heuristic> make_heuristic(StructureMachine& machine,
                                       const HeuristicOptions& options = {});

// The terms as text, a line for each location and player.
std::string print_heuristic(const Heuristic& heuristic, const Game& game);

class HeuristicEvaluator {
 public:
  // The theory must outlive the evaluator.
  HeuristicEvaluator(const Theory& theory, const Heuristic& heuristic);

  // Throws LimitReached. Several threads may ask.
  double value(std::size_t location, const Structure& structure, std::size_t player) const {
    return queries_[location][player].value(structure);
  }

 private:
  std::vector<std::vector<TermQuery>> queries_;
};

// The parts, for a sentence: what stands for its indicator in a payoff. They throw LimitReached.
TermPtr existential_heuristic(const Game& game, const FormulaPtr& sentence,
                              const HeuristicOptions& options);
TermPtr rule_condition_heuristic(const Game& game, const FormulaPtr& sentence,
                                 const HeuristicOptions& options);
// The TNF of a sentence with definitions inserted, and universal formulas without fluents replaced
// by existential descriptions where there are such.
FormulaPtr goal_normal_form(const Game& game, const Formula& sentence,
                            const DescriptionOptions& options);

}  // namespace zermelo::toss

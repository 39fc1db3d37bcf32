#include "search/decomposition/normal_play.h"

#include <algorithm>

#include "analysis/rule_evaluator.h"

namespace zermelo::search::decomposition {

bool has_goals_of_time(const machine::Machine& machine) {
  std::vector<ground::Atom> goals;
  for (const auto& of_role : machine.game().goals) {
    for (const ground::Game::Goal& goal : of_role) goals.push_back(goal.atom);
  }
  const analysis::RuleEvaluator evaluator(machine.game(), goals,
                                          [](ground::Atom) { return false; });
  const std::vector<ground::Atom>& running = machine.compiled()->autonomous().fluents();
  return std::includes(running.begin(), running.end(), evaluator.given().begin(),
                       evaluator.given().end());
}

}  // namespace zermelo::search::decomposition

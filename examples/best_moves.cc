// best_moves RULES: solves a game and prints the value of every first move.
#include <iostream>

#include "app/rules.h"
#include "app/solve.h"

int main(int count, char** arguments) {
  using namespace zermelo;
  if (count != 2) {
    std::cerr << "usage: best_moves RULES\n";
    return 2;
  }
  const auto rules = app::read_rules(arguments[1]);
  if (!rules) {
    std::cerr << rules.error().message << "\n";
    return 1;
  }
  const auto solved = app::solve({.rules = *rules});
  if (!solved) {
    std::cerr << solved.error().message << "\n";
    return 1;
  }
  const solve::Summary& summary = solved->summary;
  std::cout << summary.states << " states\n";
  for (const solve::Summary::FirstMove& move : summary.first_moves) {
    std::cout << move.name;
    for (const int reward : move.value.rewards) std::cout << ' ' << reward;
    std::cout << (move.value.best ? " best\n" : "\n");
  }
}

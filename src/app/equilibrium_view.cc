#include "app/equilibrium_view.h"

namespace zermelo::app {
namespace {

EquilibriumView::Strategy strategy_of_role(const solve::EquilibriumPosition& position,
                                           const machine::Machine& machine, std::size_t role) {
  EquilibriumView::Strategy strategy{machine.roles()[role], {}};
  std::size_t stride = 1;
  for (std::size_t before = 0; before < role; ++before) stride *= position.legal[before].size();
  const auto& legal = position.legal[role];
  for (std::size_t m = 0; m < legal.size(); ++m) {
    strategy.moves.push_back({machine.move_name(legal[m]), 0, position.move_values[role][m]});
  }
  for (std::size_t joint = 0; joint < position.probabilities.size(); ++joint) {
    strategy.moves[joint / stride % legal.size()].probability += position.probabilities[joint];
  }
  return strategy;
}

}  // namespace

EquilibriumView view_of(const solve::EquilibriumPosition& position, const machine::Machine& machine,
                        solve::SolutionConcept solution_concept) {
  const solve::Equilibrium& here = position.here.equilibrium;
  EquilibriumView view{solution_concept, here.low, here.high, {}, {}};
  for (std::size_t role = 0; role < position.legal.size(); ++role) {
    view.strategies.push_back(strategy_of_role(position, machine, role));
  }
  for (std::size_t joint = 0; joint < position.matrix.size(); ++joint) {
    const auto& next = position.matrix[joint];
    EquilibriumView::JointMove entry{{}, position.probabilities[joint], next.low, next.high};
    for (const machine::Move move : next.moves) entry.moves.push_back(machine.move_name(move));
    view.matrix.push_back(std::move(entry));
  }
  return view;
}

}  // namespace zermelo::app

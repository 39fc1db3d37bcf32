#include "app/hidden_view.h"

namespace zermelo::app {
namespace {

HiddenView::Decision decision_view(const solve::HiddenSolution& solution, std::size_t player,
                                   const solve::Decision& decision) {
  HiddenView::Decision view{player, decision.round, {}, {}};
  for (auto& step : solution.form.memory(player, decision))
    view.memory.push_back({std::move(step.move), step.had_choice, std::move(step.percepts)});
  const auto probabilities = solution.form.probabilities(decision, solution.pair.plans[player]);
  const machine::Machine& machine = solution.form.developments().machine();
  for (std::size_t m = 0; m < probabilities.size(); ++m)
    view.moves.push_back({machine.move_name(decision.moves[m]), probabilities[m]});
  return view;
}

}  // namespace

HiddenView view_of(const solve::HiddenSolution& solution) {
  const solve::SequenceForm& form = solution.form;
  HiddenView view;
  view.exploitability = solution.pair.exploitability();
  view.rounds = form.developments().rounds() - 1;
  view.worlds = form.worlds();
  view.terminal_worlds = form.terminal_worlds();
  view.iterations = solution.iterations;
  view.exact_value = solution.exact_value;
  std::size_t decisions = 0;
  for (std::size_t player = 0; player < form.players(); ++player) {
    view.players.push_back(form.developments().agent_name(player));
    view.low.push_back(solution.low(player));
    view.high.push_back(solution.high(player));
    view.decisions.push_back(form.decisions(player).size());
    view.sequences.push_back(form.sequences(player));
    decisions += form.decisions(player).size();
  }
  if (decisions > max_shown_decisions) return view;
  for (std::size_t player = 0; player < form.players(); ++player) {
    for (const solve::Decision& decision : form.decisions(player))
      view.strategies.push_back(decision_view(solution, player, decision));
  }
  return view;
}

}  // namespace zermelo::app

#include "solve/summary.h"

#include <gmpxx.h>

#include <algorithm>

namespace zermelo::solve {
namespace {

// Sorts by the preference of the first role, endless play last.
void sort_by_preference(std::vector<Summary::Count>& counts, OpponentModel model) {
  std::erase_if(counts, [](const Summary::Count& count) { return count.states == "0"; });
  std::sort(counts.begin(), counts.end(), [&](const Summary::Count& a, const Summary::Count& b) {
    if (a.rewards.empty() || b.rewards.empty()) return !a.rewards.empty();
    return prefers(model, 0, a.rewards, b.rewards);
  });
}

// The sums over the new states of all layers.
struct Totals {
  mpz_class states = 0, terminal = 0;
  std::vector<mpz_class> by_value;

  template <class Counts>  // StoredLayer or NewStates
  void add(const Counts& counts) {
    states += mpz_class(counts.states);
    terminal += mpz_class(counts.terminal);
    for (std::size_t o = 0; o < by_value.size(); ++o) by_value[o] += mpz_class(counts.by_value[o]);
  }
};

void add_counts(const SolutionReader& solution, Summary& summary) {
  const std::vector<Rewards>& outcomes = solution.description().outcomes;
  mpz_class layer_states = 0;
  Totals totals;
  totals.by_value.resize(outcomes.size());
  for (const StoredLayer& layer : solution.manifest().layers) {
    layer_states += mpz_class(layer.states);
    layer.new_states ? totals.add(*layer.new_states) : totals.add(layer);
  }
  summary.layer_states = layer_states.get_str();
  summary.states = totals.states.get_str();
  summary.terminal_states = totals.terminal.get_str();
  for (std::size_t o = 0; o < outcomes.size(); ++o) {
    summary.by_value.push_back({outcomes[o], totals.by_value[o].get_str()});
  }
  sort_by_preference(summary.by_value, summary.model);
}

// From the initial state.
void add_moves(const machine::Machine& machine, const std::vector<MoveValue>& moves,
               const std::vector<MoveValue>& line, Summary& summary) {
  for (const MoveValue& move : moves) {
    summary.first_moves.push_back({machine.move_name(move.move), move});
  }
  for (const MoveValue& move : line) summary.line.push_back(machine.move_name(move.move));
}

}  // namespace

base::Result<Summary> summarize(const ExplicitSolution& solution, const base::Limits& limits) {
  Summary summary;
  summary.roles = solution.machine().roles();
  summary.model = solution.model();
  summary.engine = Engine::explicit_states;
  summary.algorithm = Algorithm::retrograde;
  summary.value = solution.value();
  summary.states = std::to_string(solution.states());
  summary.layer_states = summary.states;
  summary.terminal_states = std::to_string(solution.terminal_states());
  summary.layers = solution.layers();
  summary.cyclic = solution.cyclic();
  for (const ValueCount& count : solution.by_value()) {
    summary.by_value.push_back({count.rewards, std::to_string(count.states)});
  }
  const auto line = solution.line(limits);
  if (!line) return tl::unexpected(line.error());
  add_moves(solution.machine(), solution.moves(solution.initial()), *line, summary);
  return summary;
}

base::Result<Summary> summarize(SolutionReader& solution) {
  const Description& description = solution.description();
  Summary summary;
  summary.roles = description.roles;
  summary.model = description.model;
  summary.engine = description.engine;
  summary.algorithm = description.algorithm;
  summary.layers = solution.manifest().layers.size();
  summary.cyclic = solution.manifest().cyclic;
  add_counts(solution, summary);
  const machine::State initial = machine::Stepper(solution.machine()).initial_state();
  const auto start = solution.position(initial, 0);
  if (!start) return tl::unexpected(start.error());
  const auto line = solution.line(initial, 0);
  if (!line) return tl::unexpected(line.error());
  summary.value = start->value.rewards;
  summary.distance = start->value.distance;
  add_moves(*solution.machine(), start->moves, *line, summary);
  return summary;
}

}  // namespace zermelo::solve

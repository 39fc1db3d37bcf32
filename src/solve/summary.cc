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

void add_counts(const StoredSolution& solution, Summary& summary) {
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

}  // namespace

Summary summarize(const ExplicitSolution& solution) {
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
  for (const MoveValue& move : solution.moves(solution.initial())) {
    summary.first_moves.push_back({move.role, solution.machine().move_name(move.move), move.rewards,
                                   std::nullopt, move.best});
  }
  return summary;
}

base::Result<Summary> summarize(StoredSolution& solution) {
  const Description& description = solution.description();
  Summary summary;
  summary.roles = description.roles;
  summary.model = description.model;
  summary.engine = description.engine;
  summary.algorithm = description.algorithm;
  summary.layers = solution.manifest().layers.size();
  summary.cyclic = solution.manifest().cyclic;
  add_counts(solution, summary);
  const auto start = solution.position(machine::Stepper(solution.machine()).initial_state(), 0);
  if (!start) return tl::unexpected(start.error());
  summary.value = start->value.rewards;
  summary.distance = start->value.distance;
  for (const StoredMove& move : start->moves) {
    summary.first_moves.push_back({move.role, solution.machine()->move_name(move.move),
                                   move.after.rewards, move.after.distance, move.best});
  }
  return summary;
}

}  // namespace zermelo::solve

#include "solve/explicit/explicit_solver.h"

#include <algorithm>

#include "machine/perft.h"
#include "solve/common/turn.h"
#include "solve/explicit/distance.h"

namespace zermelo::solve {
namespace {

base::Result<ExplicitSolution> solve_graph(GameGraph graph,
                                           std::shared_ptr<const machine::Machine> machine,
                                           const ExplicitOptions& options) {
  auto values = evaluate(graph, options.model, options.limits);
  if (!values) return tl::unexpected(values.error());
  return ExplicitSolution(std::move(machine), options.model, std::move(graph), std::move(*values),
                          options.reduction);
}

}  // namespace

ExplicitSolution::ExplicitSolution(std::shared_ptr<const machine::Machine> machine,
                                   OpponentModel model, GameGraph graph, GraphValues values,
                                   std::shared_ptr<StateReduction> reduction)
    : machine_(std::move(machine)),
      model_(model),
      graph_(std::move(graph)),
      values_(std::move(values)),
      reduction_(std::move(reduction)) {}

const Rewards& ExplicitSolution::rewards_of(Outcome outcome) const {
  static const Rewards endless;
  return outcome == unknown_outcome ? endless : graph_.outcomes[outcome];
}

machine::State ExplicitSolution::initial() const {
  return machine::Stepper(machine_).initial_state();
}

std::optional<StateIndex> ExplicitSolution::find(machine::State state) const {
  if (reduction_) reduction_->reduce(state);
  return graph_.states.find(state.words());
}

std::optional<Rewards> ExplicitSolution::value(const machine::State& state) const {
  const auto index = find(state);
  if (!index) return std::nullopt;
  return rewards_of(values_.values[*index]);
}

std::vector<ValueCount> ExplicitSolution::by_value() const {
  const std::vector<std::uint32_t> rank = ranks(model_, 0, graph_.outcomes);
  std::vector<ValueCount> counts(rank.size() + 1);
  for (std::size_t outcome = 0; outcome < rank.size(); ++outcome) {
    counts[rank[outcome]].rewards = graph_.outcomes[outcome];
  }
  for (const Outcome outcome : values_.values) {
    ++counts[outcome == unknown_outcome ? rank.size() : rank[outcome]].states;
  }
  std::erase_if(counts, [](const ValueCount& count) { return count.states == 0; });
  return counts;
}

std::vector<MoveValue> ExplicitSolution::moves(const machine::State& state) const {
  return moves(state, {});
}

// `distances` is by state, or empty.
std::vector<MoveValue> ExplicitSolution::moves(const machine::State& state,
                                               const std::vector<eval::Distance>& distances) const {
  const auto index = find(state);
  if (!index || graph_.terminal[*index] != unknown_outcome) return {};
  machine::Stepper stepper(machine_);
  const auto legal = machine::all_legal_moves(stepper, state);
  const std::size_t role = listed_role(stepper, state, legal);
  std::vector<MoveValue> moves;
  for (const machine::Move move : legal[role]) {
    const auto next = find(state_after(stepper, state, role, move));
    const Outcome outcome = values_.values[*next];
    MoveValue& value = moves.emplace_back(MoveValue{role, move, rewards_of(outcome)});
    value.keeps_value = outcome == values_.values[*index];
    if (!distances.empty() && distances[*next] != no_distance) value.distance = distances[*next];
  }
  rank_moves(model_, moves);
  return moves;
}

// Where states can repeat, only distances tell which moves make progress.
base::Result<std::vector<MoveValue>> ExplicitSolution::line(const base::Limits& limits) const {
  std::vector<MoveValue> line;
  if (value().empty()) return line;
  const auto distances =
      cyclic() ? solve::distances(graph_, values_, limits) : std::vector<Distance>();
  if (!distances) return tl::unexpected(distances.error());
  if (!distances->empty() && distances->front() == no_distance) return line;
  machine::Stepper stepper(machine_);
  machine::State state = initial();
  for (auto next = moves(state, *distances); !next.empty(); next = moves(state, *distances)) {
    line.push_back(next.front());
    state = state_after(stepper, state, next.front().role, next.front().move);
  }
  return line;
}

base::Result<ExplicitSolution> solve_explicit(std::shared_ptr<const machine::Machine> machine,
                                              const ExplicitOptions& options) {
  auto graph = explore(machine, options.limits, options.reduction.get());
  if (!graph) return tl::unexpected(graph.error());
  return solve_graph(std::move(*graph), std::move(machine), options);
}

base::Result<std::optional<ExplicitSolution>> solve_explicit_up_to(
    StateIndex max_states, std::shared_ptr<const machine::Machine> machine,
    const ExplicitOptions& options) {
  auto graph = explore_up_to(max_states, machine, options.limits, options.reduction.get());
  if (!graph) return tl::unexpected(graph.error());
  if (!*graph) return std::nullopt;
  return solve_graph(std::move(**graph), std::move(machine), options);
}

}  // namespace zermelo::solve

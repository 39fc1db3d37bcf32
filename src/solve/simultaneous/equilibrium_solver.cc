// Backward induction with simultaneous decisions.
//
// The states are sorted topologically, and from the last to the first each becomes a game in normal
// form: its moves are the legal moves of the roles, and its payoffs are the values of the
// successors, which are known by then. The solution of this small game gives the state its value
// and its strategies. The strategies of all states together are a subgame-perfect equilibrium: no
// role gains by another strategy, wherever play has led.
//
// Two roles whose rewards have the same sum in all terminal states: every state is a matrix game
// (matrix_game.h). The value is unique. A state stores a lower and an upper bound, which its
// strategies secure against any play, given the bounds of its successors. So the bounds of the
// initial state are proved, with the rounding errors of all layers included.
//
// Otherwise there may be several equilibria with different values, and normal_form.h selects one.
// What a state stores is then no guarantee against any play, but the expected rewards of the
// selected strategies, with bounds for the rounding errors. In a state in which only one role
// decides, that role chooses as in turn-taking games: by the order of the opponent model, so among
// equal payoffs with the same second and third criteria. With `difference` the payoff of a role is
// its lead. For two roles this is a linear function of the rewards, so the expected lead is the
// lead of the expected rewards; for three or more it is not, and the game is refused.
//
// Where states can repeat, backward induction does not apply. The values of such games are fixed
// points (Shapley 1953 for games that stop with positive probability); in general they need not be
// reached by any strategy. They are refused.

#include "solve/simultaneous/equilibrium_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/error_name.h"
#include "machine/perft.h"
#include "solve/common/refused_state.h"
#include "solve/explicit/limit_watch.h"
#include "solve/folder/equilibrium_file.h"
#include "solve/simultaneous/matrix_game.h"
#include "solve/simultaneous/normal_form.h"

namespace zermelo::solve {
namespace {

// Wider bounds are not accepted as a solution.
constexpr double largest_width = 1e-6;

// The sum of the rewards, if it is the same in all terminal states of a game of two roles.
std::optional<int> constant_sum(const JointGraph& graph) {
  if (graph.roles != 2 || graph.outcomes.empty()) return std::nullopt;
  const auto sum = [](const Rewards& rewards) { return rewards[0] + rewards[1]; };
  const int first = sum(graph.outcomes.front());
  const bool is_constant =
      std::all_of(graph.outcomes.begin(), graph.outcomes.end(),
                  [&](const Rewards& rewards) { return sum(rewards) == first; });
  return is_constant ? std::optional(first) : std::nullopt;
}

bool is_mixed(const Equilibrium& equilibrium) {
  return equilibrium.joint.size() > 1 ||
         std::any_of(equilibrium.strategies.begin(), equilibrium.strategies.end(),
                     [](const MixedStrategy& strategy) { return strategy.size() > 1; });
}

struct SimultaneousStates {
  StateIndex number = 0;
  StateIndex first = 0;                 // if there are any
  std::vector<std::size_t> roles = {};  // that decide in the first one
};

SimultaneousStates find_simultaneous_states(const JointGraph& graph, LimitWatch& watch) {
  SimultaneousStates found;
  std::vector<std::size_t> deciding;
  for (StateIndex s = 0; s < graph.size() && !watch.stopped(); ++s) {
    deciding.clear();
    for (std::size_t role = 0; role < graph.roles; ++role) {
      if (decides(graph, s, role)) deciding.push_back(role);
    }
    if (deciding.size() < 2) continue;
    if (found.number++ > 0) continue;
    found.first = s;
    found.roles = deciding;
  }
  return found;
}

}  // namespace

EquilibriumTable::Number EquilibriumTable::add(Equilibrium equilibrium) {
  const auto [entry, is_new] =
      number_of_.try_emplace(bytes_of(equilibrium), static_cast<Number>(equilibria_.size()));
  if (is_new) equilibria_.push_back(std::move(equilibrium));
  return entry->second;
}

EquilibriumPosition EquilibriumSolution::initial_position() const {
  const bool is_terminal = graph_.terminal[0] != unknown_outcome;
  EquilibriumPosition position{{0, is_terminal, equilibrium(0)}, {}, {}};
  if (is_terminal) return position;
  machine::Stepper stepper(machine_);
  position.legal = machine::all_legal_moves(stepper, stepper.initial_state());
  auto successor = graph_.successors(0).begin();
  machine::for_each_joint_move(position.legal, [&](std::span<const machine::Move> joint) {
    const Equilibrium& next = equilibrium(*successor++);
    position.matrix.push_back({{joint.begin(), joint.end()}, next.low, next.high});
    return true;
  });
  add_move_values(position);
  return position;
}

// Solves the states of a graph in the order of a topological sort, the last one first.
class BackwardInduction {
 public:
  BackwardInduction(EquilibriumSolution& solution, const base::Limits& limits)
      : solution_(solution), graph_(solution.graph_), limits_(limits), sum_(constant_sum(graph_)) {
    solution_.number_of_.resize(graph_.size());
    solution_.solution_concept_ = sum_ ? SolutionConcept::minimax : SolutionConcept::pure_nash;
  }

  base::Result<void> run(const std::vector<StateIndex>& order, LimitWatch& watch) {
    for (auto state = order.rbegin(); state != order.rend() && !watch.stopped(); ++state) {
      auto found = graph_.terminal[*state] != unknown_outcome ? ended(*state)
                   : sum_                                     ? matrix(*state)
                                                              : normal_form(*state);
      if (!found) {
        if (watch.stopped_now()) break;
        return failure(*state);
      }
      if (is_mixed(*found)) ++solution_.mixed_states_;
      solution_.solution_concept_ = std::max(solution_.solution_concept_, found->solution_concept);
      solution_.number_of_[*state] = solution_.table_.add(std::move(*found));
    }
    return {};
  }

 private:
  using Found = std::optional<Equilibrium>;

  const Equilibrium& after(StateIndex successor) const {
    return solution_.table_[solution_.number_of_[successor]];
  }

  tl::unexpected<base::Error> failure(StateIndex state) const {
    machine::State fluents(solution_.machine_->game().fluents.size());
    const auto words = graph_.states[state];
    std::copy(words.begin(), words.end(), fluents.words().begin());
    return tl::unexpected(
        refused_state("no equilibrium was found to the required precision in the "
                      "state",
                      fluents, solution_.machine_->game()));
  }

  Found ended(StateIndex state) const {
    const Rewards& rewards = graph_.outcomes[graph_.terminal[state]];
    Equilibrium equilibrium;
    equilibrium.solution_concept = solution_.solution_concept_ == SolutionConcept::minimax
                                       ? SolutionConcept::minimax
                                       : SolutionConcept::pure_nash;
    equilibrium.low.assign(rewards.begin(), rewards.end());
    equilibrium.high = equilibrium.low;
    return equilibrium;
  }

  Found matrix(StateIndex state) {
    const auto moves = graph_.moves_of(state);
    const auto successors = graph_.successors(state);
    game_.rows = moves[0];
    game_.columns = moves[1];
    game_.low.resize(successors.size());
    game_.high.resize(successors.size());
    for (std::size_t joint = 0; joint < successors.size(); ++joint) {
      const Equilibrium& next = after(successors[joint]);
      const std::size_t place = game_.at(joint % game_.rows, joint / game_.rows);
      game_.low[place] = next.low[0];
      game_.high[place] = next.high[0];
    }
    MatrixSolution solved = solve_matrix(game_, limits_);
    if (solved.high - solved.low > largest_width) return std::nullopt;
    Equilibrium equilibrium;
    equilibrium.low = {solved.low, down(*sum_ - solved.high)};
    equilibrium.high = {solved.high, up(*sum_ - solved.low)};
    equilibrium.strategies = {std::move(solved.row), std::move(solved.column)};
    return equilibrium;
  }

  // Differences of small integers are exact.
  static double down(double number) {
    return number == std::floor(number) ? number : next(number, -1);
  }
  static double up(double number) {
    return number == std::floor(number) ? number : next(number, 1);
  }
  static double next(double number, int direction) {
    return std::nextafter(number, direction * std::numeric_limits<double>::infinity());
  }

  Found normal_form(StateIndex state) {
    std::vector<std::size_t> deciding;
    for (std::size_t role = 0; role < graph_.roles; ++role) {
      if (decides(graph_, state, role)) deciding.push_back(role);
    }
    if (deciding.size() < 2) return alone(state, deciding.empty() ? 0 : deciding.front());
    NormalForm game;
    for (const std::uint32_t moves : graph_.moves_of(state)) game.moves.push_back(moves);
    for (const StateIndex successor : graph_.successors(state)) {
      for (std::size_t role = 0; role < graph_.roles; ++role) {
        game.payoffs.push_back(payoff(after(successor), role));
      }
    }
    Profile profile = find_equilibrium(game, limits_);
    if (profile.strategies.empty() && profile.joint.empty()) return std::nullopt;
    return expectation(state, std::move(profile));
  }

  double payoff(const Equilibrium& value, std::size_t role) const {
    const double own = value.value(role);
    const bool is_lead = solution_.model_ == OpponentModel::difference && graph_.roles == 2;
    return is_lead ? own - value.value(1 - role) : own;
  }

  // Only the role decides. Moves that do nothing are the first legal ones.
  Found alone(StateIndex state, std::size_t role) const {
    const auto moves = graph_.moves_of(state);
    const auto successors = graph_.successors(state);
    std::size_t stride = 1;
    for (std::size_t before = 0; before < role; ++before) stride *= moves[before];
    std::uint32_t best = 0;
    for (std::uint32_t move = 1; move < moves[role]; ++move) {
      if (is_better(role, after(successors[move * stride]), after(successors[best * stride]))) {
        best = move;
      }
    }
    const Equilibrium& next = after(successors[best * stride]);
    Equilibrium equilibrium{SolutionConcept::pure_nash, next.low, next.high, {}, {}};
    equilibrium.strategies.assign(graph_.roles, {{0, 1}});
    equilibrium.strategies[role] = {{best, 1}};
    return equilibrium;
  }

  // The order of the opponent model, for expected rewards.
  bool is_better(std::size_t role, const Equilibrium& a, const Equilibrium& b) const {
    const auto differs = [](double x, double y) { return std::abs(x - y) > payoff_tolerance; };
    if (differs(payoff(a, role), payoff(b, role))) return payoff(a, role) > payoff(b, role);
    const double second_a = second_criterion(role, a), second_b = second_criterion(role, b);
    if (differs(second_a, second_b)) return second_a > second_b;
    for (std::size_t other = 0; other < graph_.roles; ++other) {
      if (differs(a.value(other), b.value(other))) return a.value(other) > b.value(other);
    }
    return false;
  }

  double second_criterion(std::size_t role, const Equilibrium& value) const {
    if (solution_.model_ == OpponentModel::difference) return value.value(role);
    double others = 0;
    for (std::size_t other = 0; other < graph_.roles; ++other) {
      if (other != role) others += value.value(other);
    }
    return -others;
  }

  Equilibrium expectation(StateIndex state, Profile profile) const {
    Equilibrium equilibrium{
        profile.solution_concept, {}, {}, std::move(profile.strategies), std::move(profile.joint)};
    const auto joint = distribution(state, equilibrium);
    for (std::size_t role = 0; role < graph_.roles; ++role) {
      equilibrium.low.push_back(mean(joint, role, -1));
      equilibrium.high.push_back(mean(joint, role, 1));
    }
    return equilibrium;
  }

  std::vector<std::pair<StateIndex, long double>> distribution(
      StateIndex state, const Equilibrium& equilibrium) const {
    const auto successors = graph_.successors(state);
    std::vector<std::pair<StateIndex, long double>> result;
    for (const Choice& choice : equilibrium.joint) {
      result.emplace_back(successors[choice.move], choice.probability);
    }
    if (!result.empty()) return result;
    std::vector<std::pair<std::size_t, long double>> joints = {{0, 1}};
    std::size_t stride = 1;
    for (std::size_t role = 0; role < graph_.roles; ++role) {
      std::vector<std::pair<std::size_t, long double>> longer;
      for (const auto& [joint, probability] : joints) {
        for (const Choice& choice : equilibrium.strategies[role]) {
          longer.emplace_back(joint + choice.move * stride, probability * choice.probability);
        }
      }
      joints = std::move(longer);
      stride *= graph_.moves_of(state)[role];
    }
    for (const auto& [joint, probability] : joints) {
      result.emplace_back(successors[joint], probability);
    }
    return result;
  }

  // Rounded down (direction -1) or up (1).
  double mean(const std::vector<std::pair<StateIndex, long double>>& joint, std::size_t role,
              int direction) const {
    const auto bound = [&](StateIndex successor) {
      return direction < 0 ? after(successor).low[role] : after(successor).high[role];
    };
    if (joint.size() == 1) return bound(joint.front().first);
    long double sum = 0, total = 0, largest = 0;
    for (const auto& [successor, probability] : joint) {
      sum += probability * bound(successor);
      total += probability;
      largest = std::max<long double>(largest, std::abs(bound(successor)));
    }
    const long double error = largest * std::numeric_limits<long double>::epsilon() *
                              static_cast<long double>(4 * joint.size() + 8);
    return next(static_cast<double>(sum / total + direction * error), direction);
  }

  EquilibriumSolution& solution_;
  const JointGraph& graph_;
  const base::Limits& limits_;
  std::optional<int> sum_;  // of the rewards of two roles, if it is constant
  MatrixGame game_;         // of the current state
};

namespace {

base::Error stopped_while_solving(const LimitWatch& watch, StateIndex states) {
  return base::limit_error(*watch.limit(), fmt::format("after finding the {} states", states));
}

// Names the missing property.
std::optional<base::Error> refusal_of(const machine::Machine& machine, const JointGraph& graph,
                                      const SimultaneousStates& simultaneous, bool cyclic,
                                      OpponentModel model) {
  const bool has_lead = model == OpponentModel::own || graph.roles <= 2;
  if (!cyclic && has_lead) return std::nullopt;
  const std::string missing =
      cyclic ? "this is solved only in games in which no state can repeat"
             : "with more than two roles this is solved only with the model own";
  machine::State state(machine.game().fluents.size());
  const auto words = graph.states[simultaneous.first];
  std::copy(words.begin(), words.end(), state.words().begin());
  const std::string roles =
      simultaneous.roles.size() < 2
          ? "solving joint moves"
          : fmt::format("{} and {} decide at the same time", machine.roles()[simultaneous.roles[0]],
                        machine.roles()[simultaneous.roles[1]]);
  return refused_state(fmt::format("{}, and {}; the state", roles, missing), state, machine.game());
}

base::Result<EquilibriumSolution> solve_joint_graph(std::shared_ptr<const machine::Machine> machine,
                                                    JointGraph graph,
                                                    const SimultaneousStates& simultaneous,
                                                    const EquilibriumOptions& options,
                                                    LimitWatch& watch) {
  const std::vector<StateIndex> order = predecessors_first(graph, watch);
  if (watch.stopped_now()) return tl::unexpected(stopped_while_solving(watch, graph.size()));
  if (auto refused =
          refusal_of(*machine, graph, simultaneous, order.size() < graph.size(), options.model)) {
    return tl::unexpected(std::move(*refused));
  }
  EquilibriumSolution solution(std::move(machine), options.model, std::move(graph),
                               simultaneous.number);
  BackwardInduction induction(solution, options.limits);
  if (auto done = induction.run(order, watch); !done) return tl::unexpected(done.error());
  if (watch.stopped_now()) {
    return tl::unexpected(stopped_while_solving(watch, solution.graph().size()));
  }
  return solution;
}

}  // namespace

base::Result<std::optional<EquilibriumSolution>> solve_simultaneous(
    std::shared_ptr<const machine::Machine> machine, const EquilibriumOptions& options) {
  auto graph = explore_joint_moves(machine, options.limits);
  if (!graph) return tl::unexpected(graph.error());
  LimitWatch watch(options.limits);
  const SimultaneousStates simultaneous = find_simultaneous_states(*graph, watch);
  if (watch.stopped_now()) return tl::unexpected(stopped_while_solving(watch, graph->size()));
  if (simultaneous.number == 0) return std::nullopt;
  auto solution =
      solve_joint_graph(std::move(machine), std::move(*graph), simultaneous, options, watch);
  if (!solution) return tl::unexpected(solution.error());
  return std::optional(std::move(*solution));
}

base::Result<EquilibriumSolution> solve_as_simultaneous(
    std::shared_ptr<const machine::Machine> machine, const EquilibriumOptions& options) {
  auto graph = explore_joint_moves(machine, options.limits);
  if (!graph) return tl::unexpected(graph.error());
  LimitWatch watch(options.limits);
  const SimultaneousStates simultaneous = find_simultaneous_states(*graph, watch);
  return solve_joint_graph(std::move(machine), std::move(*graph), simultaneous, options, watch);
}

}  // namespace zermelo::solve

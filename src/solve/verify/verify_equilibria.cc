// The strategies in the folder are a certificate. This file checks it by best responses and uses
// nothing of the solver: no linear program, no search for equilibria.
//
// In every state that is checked, all joint moves are made by the rules, and the stored bounds of
// the successors are looked up. Then, by the concept of the state:
//
// - minimax: the strategy of each role is tried against every answer of the other role. The worst
//   result is what the role secures, so the stored lower bound must not be larger. The upper bound
//   of a role is the constant sum minus the lower bound of the other.
// - pure-nash and nash: the stored bounds must contain the expected reward of the strategies, and
// no
//   other move of a role may have a payoff that is larger by more than the tolerance.
// - correlated: the same for every move that a role can be told.
//
// A terminal state must have its goals as bounds. By induction from the terminal states this proves
// the bounds of the initial state, if no state can repeat; so that is checked too, if all states
// are. Whether a pair of bounds is narrow is a separate question: wider ones than promised are
// failures. Which of several equilibria was selected is not checked.

#include "solve/verify/verify_equilibria.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/reward.h"
#include "dd/count.h"
#include "machine/perft.h"
#include "solve/verify/cycles.h"
#include "solve/verify/folder_check.h"
#include "solve/verify/members.h"

namespace zermelo::solve {
namespace {

// Of sums of products of stored numbers, relative to the largest reward.
constexpr double rounding = 1e-11;
// The promise about bounds, and about what a deviation gains.
constexpr double promised_width = 1e-6;

struct EquilibriumLayer {
  dd::Diagram states, numbers;
  std::vector<Equilibrium> equilibria;
  dd::MemberCounts members;
  std::uint32_t first_state = 0;  // of the numbering of all states
};

// The successors of a state, as the folder describes them.
struct StateGame {
  std::vector<std::size_t> moves;          // by role
  std::vector<const Equilibrium*> values;  // by joint move, that of the first role fastest

  std::size_t stride(std::size_t role) const {
    std::size_t stride = 1;
    for (std::size_t before = 0; before < role; ++before) stride *= moves[before];
    return stride;
  }
  std::size_t move_in(std::size_t joint, std::size_t role) const {
    return joint / stride(role) % moves[role];
  }
  std::size_t with_move(std::size_t joint, std::size_t role, std::size_t move) const {
    return joint - move_in(joint, role) * stride(role) + move * stride(role);
  }
};

long double total_of(const MixedStrategy& strategy) {
  long double total = 0;
  for (const Choice& choice : strategy) total += choice.probability;
  return total;
}

bool is_distribution(const MixedStrategy& strategy, std::size_t moves) {
  return !strategy.empty() && strategy.back().move < moves &&
         std::abs(total_of(strategy) - 1) < 1e-9;
}

// The joint moves with a positive probability. Requires distributions over legal moves.
std::vector<std::pair<std::size_t, long double>> joint_distribution(const StateGame& game,
                                                                    const Equilibrium& here) {
  std::vector<std::pair<std::size_t, long double>> joints = {{0, 1}};
  if (!here.joint.empty()) {
    joints.clear();
    for (const Choice& choice : here.joint) {
      joints.emplace_back(choice.move, choice.probability / total_of(here.joint));
    }
    return joints;
  }
  for (std::size_t role = 0; role < game.moves.size(); ++role) {
    std::vector<std::pair<std::size_t, long double>> longer;
    for (const auto& [joint, probability] : joints) {
      for (const Choice& choice : here.strategies[role]) {
        longer.emplace_back(game.with_move(joint, role, choice.move),
                            probability * choice.probability / total_of(here.strategies[role]));
      }
    }
    joints = std::move(longer);
  }
  return joints;
}

class EquilibriumVerifier : FolderCheck {
 public:
  EquilibriumVerifier(const SolutionFolder& folder, const VerifyOptions& options)
      : FolderCheck(folder, options) {}

  base::Result<Verification> run() {
    if (read_texts() && check_outcomes() && read_layers()) check_states();
    return finish();
  }

 private:
  bool check_outcomes() {
    for (const Rewards& rewards : description_.outcomes) {
      if (rewards.size() != description_.roles.size()) fail("an outcome has no rewards");
    }
    if (result_.failures_found == 0) find_constant_sum();
    return result_.failures_found == 0;
  }

  void find_constant_sum() {
    if (description_.solution_concept != SolutionConcept::minimax) return;
    const auto& outcomes = description_.outcomes;
    const auto sum = [](const Rewards& rewards) { return rewards[0] + rewards[1]; };
    const bool is_constant =
        description_.roles.size() == 2 && !outcomes.empty() &&
        std::all_of(outcomes.begin(), outcomes.end(),
                    [&](const auto& rewards) { return sum(rewards) == sum(outcomes.front()); });
    if (!is_constant) return fail("the concept is minimax, but the rewards have no constant sum");
    sum_ = sum(outcomes.front());
  }

  bool read_layers() {
    std::uint64_t states = 0;
    for (std::size_t l = 0; l < manifest_.layers.size() && !stopped(); ++l) {
      check_file(Part::states, l, manifest_.layers[l].states_checksum);
      check_file(Part::values, l, manifest_.layers[l].values_checksum);
      if (result_.failures_found > 0 || !read_layer(l)) return false;
      layers_.back().first_state = static_cast<std::uint32_t>(states);
      states += size_of(layers_.back());
    }
    result_.states = result_.layer_states = std::to_string(states);
    result_.exhaustive = states <= options_.exhaustive_up_to;
    all_states_ = states;
    return !limit_ && result_.failures_found == 0;
  }

  static std::uint64_t size_of(const EquilibriumLayer& layer) {
    return layer.members.below(0, layer.states.root());
  }

  bool read_layer(std::size_t l) {
    const StoredLayer& stored = manifest_.layers[l];
    auto states = take(read(Part::states, l));
    auto numbers = states ? take(read(Part::values, l)) : std::nullopt;
    auto equilibria =
        numbers ? take(folder_.equilibria(l, stored, description_.roles.size())) : std::nullopt;
    auto members =
        equilibria ? take(dd::count_members(*states, {.limits = options_.limits})) : std::nullopt;
    auto counts = members ? take(count_states(description_, *states, {.limits = options_.limits}))
                          : std::nullopt;
    if (!counts) return false;
    if (!*members || counts->states != stored.states || counts->terminal != stored.terminal) {
      fail(fmt::format("layer {} has {} states, {} of them terminal; the manifest says {} and {}",
                       l, counts->states, counts->terminal, stored.states, stored.terminal));
      return false;
    }
    layers_.push_back(
        {std::move(*states), std::move(*numbers), std::move(*equilibria), std::move(**members), 0});
    return true;
  }

  void check_states() {
    const auto initial = find(stepper_->initial_state(), 0);
    if (!initial || initial->layer != 0) fail("the initial state is missing");
    for (std::size_t l = 0; l < layers_.size() && !stopped(); ++l) {
      const std::uint64_t size = size_of(layers_[l]);
      const std::uint64_t share =
          100 + options_.sample * size / std::max<std::uint64_t>(1, all_states_);
      const std::uint64_t wanted = result_.exhaustive ? size : std::min(size, share);
      for (std::uint64_t i = 0; i < wanted && !stopped(); ++i) {
        const std::uint64_t place = wanted == size ? i : random_.next() % size;
        check_state(l, member(layers_[l].states, layers_[l].members, place));
      }
    }
    if (result_.exhaustive && !limit_ && result_.failures_found == 0) check_the_whole();
  }

  void check_the_whole() {
    if (CycleCheck(graph_).can_repeat()) fail("states can repeat");
    if (weakest_ != *description_.solution_concept) {
      fail(fmt::format("the concept of the states is {}, the folder says {}", name_of(weakest_),
                       name_of(*description_.solution_concept)));
    }
  }

  struct Place {
    std::size_t layer = 0;
    std::uint32_t state = 0;  // in the numbering of all states
    dd::NodeId constant = 0;
    const Equilibrium* equilibrium = nullptr;
  };

  // Returns nullopt for a state that the folder does not have, or has without an equilibrium.
  std::optional<Place> find(const machine::State& state, std::size_t near) {
    std::vector<dd::Value> assignment(code_->domains().size());
    if (!code_->encode(state, assignment) || code_->outside(state).count() > 0) return std::nullopt;
    const std::size_t layers = layers_.size();
    for (std::size_t i = 0; i < 2 * (layers + near) + 1; ++i) {
      const std::size_t away = (i + 1) / 2, l = i % 2 == 1 ? near + away : near - away;
      if (l >= layers) continue;
      if (auto place = find_in(l, assignment)) return place;
    }
    return std::nullopt;
  }

  std::optional<Place> find_in(std::size_t l, const std::vector<dd::Value>& assignment) const {
    const EquilibriumLayer& layer = layers_[l];
    Place place{l, 0, layer.states.evaluate(assignment), nullptr};
    if (place.constant == 0) return std::nullopt;
    const dd::NodeId number = layer.numbers.evaluate(assignment);
    if (number == 0 || number > layer.equilibria.size()) return std::nullopt;
    place.equilibrium = &layer.equilibria[number - 1];
    if (result_.exhaustive) {
      place.state = layer.first_state +
                    static_cast<std::uint32_t>(place_of(assignment, layer.states, layer.members));
    }
    return place;
  }

  void check_state(std::size_t l, const std::vector<dd::Value>& assignment) {
    ++result_.states_checked;
    const machine::State state =
        code_->decode(assignment, machine::State(machine_->game().fluents.size()));
    const auto here = find_in(l, assignment);
    std::string problem;
    if (!here) {
      problem = "a state without an equilibrium";
    } else if (stepper_->terminal(state) != description_.is_terminal(here->constant)) {
      problem = stepper_->terminal(state) ? "a terminal state" : "not a terminal state";
    } else if (description_.is_terminal(here->constant)) {
      problem = terminal_problem(state, *here);
    } else {
      problem = inner_problem(state, *here);
    }
    graph_.first_edge.push_back(graph_.edges.size());  // of the next state
    graph_.values.push_back(0);
    graph_.movers.push_back(0);
    if (problem.empty()) return;
    fail(
        fmt::format("layer {}: {}: {}", l, problem, fmt::join(stepper_->fluent_names(state), " ")));
  }

  std::string terminal_problem(const machine::State& state, const Place& here) {
    Rewards goals;
    for (std::size_t r = 0; r < machine_->roles().size(); ++r) {
      goals.push_back(base::reward_of(stepper_->goals(state, r)));
    }
    const std::size_t outcome = here.constant - description_.terminal_constant(0);
    const std::vector<double> values(goals.begin(), goals.end());
    if (outcome >= description_.outcomes.size() || description_.outcomes[outcome] != goals ||
        here.equilibrium->low != values || here.equilibrium->high != values) {
      return fmt::format("the goals are {}; the folder says otherwise", fmt::join(goals, " "));
    }
    return "";
  }

  std::string inner_problem(const machine::State& state, const Place& here) {
    const auto legal = machine::all_legal_moves(*stepper_, state);
    StateGame game;
    for (const auto& moves : legal) game.moves.push_back(moves.size());
    bool is_complete = true;
    machine::for_each_joint_move(legal, [&](std::span<const machine::Move> joint) {
      const auto next = find(stepper_->next_state(state, joint), here.layer + 1);
      is_complete = next.has_value();
      if (!is_complete) return false;
      game.values.push_back(next->equilibrium);
      if (result_.exhaustive) graph_.edges.push_back(next->state);
      return true;
    });
    if (!is_complete) return "a successor is missing";
    if (game.values.empty()) return "a role has no legal move";
    const Equilibrium& equilibrium = *here.equilibrium;
    if (!has_legal_strategies(game, equilibrium)) {
      return "the strategies are no distributions over legal moves";
    }
    if (const double width = width_of(equilibrium); width > promised_width) {
      return fmt::format("the bounds are {} apart", width);
    }
    weakest_ = std::max(weakest_, equilibrium.solution_concept);
    if ((equilibrium.solution_concept == SolutionConcept::minimax) != sum_.has_value() ||
        equilibrium.solution_concept > *description_.solution_concept) {
      return "the concept of the state differs from the folder";
    }
    return sum_ ? minimax_problem(game, equilibrium) : nash_problem(game, equilibrium);
  }

  static bool has_legal_strategies(const StateGame& game, const Equilibrium& here) {
    const bool is_correlated = here.solution_concept == SolutionConcept::correlated;
    if (is_correlated) {
      return here.strategies.empty() && is_distribution(here.joint, game.values.size());
    }
    if (!here.joint.empty() || here.strategies.size() != game.moves.size()) return false;
    for (std::size_t role = 0; role < game.moves.size(); ++role) {
      if (!is_distribution(here.strategies[role], game.moves[role])) return false;
      if (here.solution_concept == SolutionConcept::pure_nash && here.strategies[role].size() > 1) {
        return false;
      }
    }
    return true;
  }

  std::string minimax_problem(const StateGame& game, const Equilibrium& here) const {
    for (std::size_t role = 0; role < 2; ++role) {
      const std::size_t other = 1 - role;
      const long double total = total_of(here.strategies[role]);
      for (std::size_t answer = 0; answer < game.moves[other]; ++answer) {
        long double secured = 0;
        for (const Choice& choice : here.strategies[role]) {
          const std::size_t joint =
              game.with_move(game.with_move(0, role, choice.move), other, answer);
          secured += choice.probability * static_cast<long double>(game.values[joint]->low[role]);
        }
        if (here.low[role] > secured / total + rounding * slack(here)) {
          return fmt::format("{} secures only {} against the best response, not {}",
                             description_.roles[role], static_cast<double>(secured / total),
                             here.low[role]);
        }
      }
      if (here.high[role] < *sum_ - here.low[other] - rounding * slack(here)) {
        return "an upper bound is smaller than the other role permits";
      }
    }
    return "";
  }

  static double slack(const Equilibrium& here) {
    double largest = 1;
    for (const double bound : here.high) largest = std::max(largest, std::abs(bound));
    return largest;
  }

  // What the role maximises.
  double payoff(const Equilibrium& value, std::size_t role) const {
    const double own = value.value(role);
    return description_.model == OpponentModel::own ? own : own - value.value(1 - role);
  }

  std::string nash_problem(const StateGame& game, const Equilibrium& here) const {
    if (description_.model == OpponentModel::difference && description_.roles.size() != 2) {
      return "the model difference is defined for two roles here";
    }
    const auto joints = joint_distribution(game, here);
    for (std::size_t role = 0; role < game.moves.size(); ++role) {
      long double low = 0, high = 0;
      for (const auto& [joint, probability] : joints) {
        low += probability * static_cast<long double>(game.values[joint]->low[role]);
        high += probability * static_cast<long double>(game.values[joint]->high[role]);
      }
      if (here.low[role] > low + rounding * slack(here) ||
          here.high[role] < high - rounding * slack(here)) {
        return fmt::format("{} gets {} on average, not between {} and {}", description_.roles[role],
                           static_cast<double>(low), here.low[role], here.high[role]);
      }
      const double gain = best_gain(game, here, joints, role);
      if (gain > promised_width) {
        return fmt::format("{} gains {} by another move", description_.roles[role], gain);
      }
    }
    return "";
  }

  // With independent strategies, being told one's own move says nothing about the others.
  double best_gain(const StateGame& game, const Equilibrium& here,
                   const std::vector<std::pair<std::size_t, long double>>& joints,
                   std::size_t role) const {
    long double best = 0;
    for (std::size_t answer = 0; answer < game.moves[role]; ++answer) {
      std::map<std::size_t, long double> gains;  // by the move that the role is told
      for (const auto& [joint, probability] : joints) {
        const std::size_t told = here.joint.empty() ? 0 : game.move_in(joint, role);
        const Equilibrium& changed = *game.values[game.with_move(joint, role, answer)];
        gains[told] += probability * static_cast<long double>(payoff(changed, role) -
                                                              payoff(*game.values[joint], role));
      }
      for (const auto& [told, gain] : gains) best = std::max(best, gain);
    }
    return static_cast<double>(best);
  }

  std::vector<EquilibriumLayer> layers_;
  std::optional<int> sum_;  // of the rewards, with minimax
  SolutionConcept weakest_ = SolutionConcept::minimax;
  std::uint64_t all_states_ = 0;
  ClaimedGraph graph_;  // of all states, if all are checked
};

}  // namespace

base::Result<Verification> verify_equilibria(const SolutionFolder& folder,
                                             const VerifyOptions& options) {
  return EquilibriumVerifier(folder, options).run();
}

}  // namespace zermelo::solve

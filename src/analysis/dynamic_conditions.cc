#include "analysis/dynamic_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "analysis/step_bound.h"
#include "base/components.h"
#include "base/quantities.h"
#include "base/random.h"
#include "base/reward.h"

namespace zermelo::analysis {

namespace {

using machine::Move;

void refute(Finding& finding, std::string reason, Line line) {
  finding = {Evidence::refuted, std::move(reason), std::move(line)};
}

bool is_refuted(const Finding& finding) { return finding.evidence == Evidence::refuted; }

// Observes states one by one and records refutations. `line` returns the moves that led to the
// state and is called only if needed.
template <base::StateMachine M>
class Observer {
 public:
  Observer(M& machine, DynamicConditions& conditions)
      : machine_(machine), conditions_(conditions) {}

  // Returns whether play continues from the state.
  template <class GetLine>
  bool observe(const typename M::State& state, GetLine line) {
    ++states_;
    if (machine_.terminal(state)) {
      ++terminal_states_;
      observe_goals(state, line);
      return false;
    }
    return observe_moves(state, line);
  }

  std::uint64_t states() const { return states_; }
  std::uint64_t terminal_states() const { return terminal_states_; }

 private:
  template <class GetLine>
  bool observe_moves(const typename M::State& state, GetLine line) {
    std::vector<std::string> choosing;
    for (std::size_t r = 0; r < machine_.roles().size(); ++r) {
      const std::size_t moves = machine_.legal_moves(state, r).size();
      if (moves == 0) {
        observe_dead_end(machine_.roles()[r], line);
        return false;
      }
      if (moves > 1) choosing.push_back(machine_.roles()[r]);
    }
    if (choosing.size() > 1 && !is_refuted(conditions_.turn_taking)) {
      refute(conditions_.turn_taking,
             choosing[0] + " and " + choosing[1] + " choose at the same time", line());
    }
    return true;
  }

  template <class GetLine>
  void observe_dead_end(const std::string& role, GetLine line) {
    const std::string reason = role + " has no legal move in a state that is not terminal";
    if (!is_refuted(conditions_.has_moves)) refute(conditions_.has_moves, reason, line());
    if (!is_refuted(conditions_.ends)) refute(conditions_.ends, reason, line());
  }

  template <class GetLine>
  void observe_goals(const typename M::State& state, GetLine line) {
    int sum = 0;
    for (std::size_t r = 0; r < machine_.roles().size(); ++r) {
      if (machine_.roles()[r] == base::random_role) continue;
      const std::vector<int> goals = machine_.goals(state, r);
      sum += base::reward_of(goals);
      if (goals.size() == 1 || is_refuted(conditions_.unique_goals)) continue;
      const std::string problem =
          goals.empty() ? "no goal value in a terminal state, which counts as 0"
                        : std::to_string(goals.size()) +
                              " goal values in a terminal state, of which the largest counts";
      refute(conditions_.unique_goals, machine_.roles()[r] + " has " + problem, line());
    }
    observe_sum(sum, line);
  }

  template <class GetLine>
  void observe_sum(int sum, GetLine line) {
    if (is_refuted(conditions_.constant_sum)) return;
    if (!conditions_.goal_sum) conditions_.goal_sum = sum;
    if (conditions_.goal_sum == sum) return;
    const std::string reason = "the goals add up to " + std::to_string(sum) + " here and to " +
                               std::to_string(*conditions_.goal_sum) + " elsewhere";
    refute(conditions_.constant_sum, reason, line());
    conditions_.goal_sum.reset();
  }

  M& machine_;
  DynamicConditions& conditions_;
  std::uint64_t states_ = 0;
  std::uint64_t terminal_states_ = 0;
};

using base::counted;

// Sets the evidence of everything that was not refuted.
void conclude(DynamicConditions& conditions, Evidence evidence, const std::string& reason) {
  for (Finding* finding : {&conditions.has_moves, &conditions.unique_goals, &conditions.turn_taking,
                           &conditions.constant_sum, &conditions.ends}) {
    if (!is_refuted(*finding) && finding->evidence != Evidence::proved) {
      *finding = {evidence, reason, {}};
    }
  }
}

// ---- Enumeration -------------------------------------------------------------------------------

template <base::StateMachine M>
std::uint32_t edge_target(const Reachable<M>& found, StateIndex node, std::uint64_t i) {
  if (node >= found.expanded() || found.first_edge[node] + i >= found.first_edge[node + 1]) {
    return base::no_node;
  }
  return found.edges[found.first_edge[node] + i];
}

// Returns a shortest path from a state back to itself, without its first state; empty if none.
template <base::StateMachine M>
std::vector<StateIndex> shortest_return(const Reachable<M>& found, StateIndex start) {
  std::unordered_map<StateIndex, StateIndex> parents;
  std::vector<StateIndex> queue{start};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (std::uint64_t i = 0;; ++i) {
      const StateIndex target = edge_target(found, queue[next], i);
      if (target == base::no_node) break;
      if (target == start) {
        std::vector<StateIndex> path{start};
        for (StateIndex s = queue[next]; s != start; s = parents.at(s)) path.push_back(s);
        std::reverse(path.begin(), path.end());
        return path;
      }
      if (parents.try_emplace(target, queue[next]).second) queue.push_back(target);
    }
  }
  return {};
}

// Returns the first state that play can return to.
template <base::StateMachine M>
std::optional<StateIndex> first_on_cycle(const Reachable<M>& found) {
  const auto nodes = static_cast<std::uint32_t>(found.states.size());
  const auto successor = [&](std::uint32_t n, std::uint64_t i) { return edge_target(found, n, i); };
  const base::Components components = base::strongly_connected_components(nodes, successor);
  std::vector<std::uint32_t> sizes(components.count);
  for (const std::uint32_t c : components.component_of) ++sizes[c];
  for (StateIndex s = 0; s < found.expanded(); ++s) {
    if (sizes[components.component_of[s]] > 1) return s;
    for (std::uint64_t e = found.first_edge[s]; e < found.first_edge[s + 1]; ++e) {
      if (found.edges[e] == s) return s;
    }
  }
  return std::nullopt;
}

template <base::StateMachine M>
void refute_end_by_cycle(M& machine, const Reachable<M>& found, DynamicConditions& conditions) {
  if (is_refuted(conditions.ends)) return;
  const std::optional<StateIndex> start = first_on_cycle(found);
  if (!start) return;
  std::vector<StateIndex> path = path_to(found, *start);
  const std::vector<StateIndex> cycle = shortest_return(found, *start);
  path.insert(path.end(), cycle.begin(), cycle.end());
  refute(conditions.ends,
         "the last " + counted(cycle.size(), "joint move") + " can be repeated forever",
         line_along(machine, found, path));
}

// Returns the length of the longest game in joint moves. Requires that there is no cycle.
template <base::StateMachine M>
std::size_t longest_path(const Reachable<M>& found) {
  const auto nodes = static_cast<std::uint32_t>(found.states.size());
  const auto successor = [&](std::uint32_t n, std::uint64_t i) { return edge_target(found, n, i); };
  const base::Components order = base::strongly_connected_components(nodes, successor);
  std::vector<StateIndex> by_component(nodes);
  for (StateIndex s = 0; s < nodes; ++s) by_component[order.component_of[s]] = s;
  std::vector<std::size_t> longest(nodes);
  for (const StateIndex s : by_component) {
    for (std::uint64_t e = found.first_edge[s]; e < found.first_edge[s + 1]; ++e) {
      longest[s] = std::max(longest[s], longest[found.edges[e]] + 1);
    }
  }
  return longest.front();
}

// Returns whether all states were enumerated.
template <base::StateMachine M>
bool enumerate_states(M& machine, const ConditionOptions& options, DynamicConditions& conditions,
                      Observer<M>& observer) {
  const Reachable<M> found = enumerate(
      machine,
      {options.max_states, options.limits.within(options.seconds), options.max_joint_moves},
      [&](const Reachable<M>& so_far, StateIndex index) {
        return observer.observe(so_far.states[index], [&] {
          return line_along(machine, so_far, path_to(so_far, index));
        });
      });
  refute_end_by_cycle(machine, found, conditions);
  conditions.max_joint_moves = found.too_many_joint_moves;
  if (!found.complete) return false;
  conditions.states = observer.states();
  conditions.terminal_states = observer.terminal_states();
  if (!is_refuted(conditions.ends)) conditions.longest_game = longest_path(found);
  conclude(conditions, Evidence::proved,
           "all " + counted(observer.states(), "reachable state") + " were enumerated");
  return true;
}

// ---- Random games ------------------------------------------------------------------------------

// Plays random games until a limit of the options is reached.
template <base::StateMachine M>
class Sampler {
 public:
  Sampler(M& machine, const ConditionOptions& options, DynamicConditions& conditions,
          Observer<M>& observer)
      : machine_(machine), options_(options), conditions_(conditions), observer_(observer) {}

  void run() {
    const base::Limits limits = options_.limits.within(options_.seconds);
    std::uint64_t games = 0;
    for (; games < options_.max_games && !limits.exceeded(); ++games) play(games, limits);
    const std::string random_games = counted(games, "random game");
    conclude(conditions_, Evidence::sampled,
             counted(observer_.states(), "state") + " checked, partly from " + random_games +
                 not_enumerated());
    if (unfinished_ > 0 && conditions_.ends.evidence == Evidence::sampled) {
      conditions_.ends.reason = base::grouped(unfinished_) + " of " + random_games +
                                " had not ended after " + counted(options_.max_depth, "joint move");
    }
  }

 private:
  void play(std::uint64_t game, const base::Limits& limits) {
    base::Random random(options_.seed + game * 0x9e3779b97f4a7c15u);
    line_.clear();
    visited_.clear();
    typename M::State state = machine_.initial_state();
    while (observer_.observe(state, [&] { return line_; })) {
      if (!is_refuted(conditions_.ends) && repeats(state)) return;
      if (line_.size() >= options_.max_depth) {
        ++unfinished_;
        return;
      }
      if (limits.exceeded()) return;
      state = step(state, random);
    }
  }

  // Says why states were not enumerated where their joint moves are the reason.
  std::string not_enumerated() const {
    if (conditions_.max_joint_moves == 0) return "";
    return fmt::format("; {:.6g} joint moves in one state are too many to try all",
                       conditions_.max_joint_moves);
  }

  bool repeats(const typename M::State& state) {
    const auto [entry, is_new] = visited_.try_emplace(state, line_.size());
    if (is_new) return false;
    const std::size_t length = line_.size() - entry->second;
    refute(conditions_.ends,
           "the last " + counted(length, "joint move") + " can be repeated forever", line_);
    return true;
  }

  typename M::State step(const typename M::State& state, base::Random& random) {
    std::vector<Move> joint;
    std::vector<std::string>& names = line_.emplace_back();
    for (const std::vector<Move>& legal : machine::all_legal_moves(machine_, state)) {
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
      names.push_back(machine_.move_name(joint.back()));
    }
    return machine_.next_state(state, joint);
  }

  M& machine_;
  const ConditionOptions& options_;
  DynamicConditions& conditions_;
  Observer<M>& observer_;
  Line line_;
  std::unordered_map<typename M::State, std::size_t>
      visited_;                   // states of the current game with their depths
  std::uint64_t unfinished_ = 0;  // number of games that reached max_depth
};

void prove_end(const ground::Game& game, const ConditionOptions& options,
               DynamicConditions& conditions) {
  if (is_refuted(conditions.ends)) return;
  conditions.longest_game =
      prove_step_bound(game, options.max_steps, options.limits.within(options.seconds));
  if (!conditions.longest_game) return;
  conditions.ends = {Evidence::proved,
                     "every game ends after at most " +
                         counted(*conditions.longest_game, "joint move") + ", by the rules alone",
                     {}};
}

// `game` is null if the game was not grounded.
template <base::StateMachine M>
DynamicConditions check(M& machine, const ground::Game* game, const ConditionOptions& options) {
  DynamicConditions conditions;
  Observer<M> observer(machine, conditions);
  if (enumerate_states(machine, options, conditions, observer)) return conditions;
  if (game != nullptr) prove_end(*game, options, conditions);
  Sampler<M>(machine, options, conditions, observer).run();
  return conditions;
}

}  // namespace

DynamicConditions check_dynamic_conditions(std::shared_ptr<const machine::Machine> machine,
                                           const ConditionOptions& options) {
  machine::Stepper stepper(machine);
  return check(stepper, &machine->game(), options);
}

DynamicConditions check_dynamic_conditions(reference::Reference& reference,
                                           const ConditionOptions& options) {
  return check(reference, nullptr, options);
}

}  // namespace zermelo::analysis

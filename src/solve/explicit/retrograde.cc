// Retrograde analysis, after Edelkamp and Kissmann, "Symbolic Exploration for General Game Playing
// in PDDL" (Algorithms 2 and 3), state by state instead of by sets of states.
//
// Without cycles, the states are sorted topologically, and from the last to the first each takes
// the outcome of the successor that the role to move prefers. This is correct for any number of
// roles and any rewards.
//
// With cycles, the outcomes are assigned best first. For a role, an outcome is given to all states
// from which it can force the game to end with this outcome or a better one: if it moves, when one
// successor is such a state; otherwise, when all are, for which a counter holds the remaining
// successors. Every edge is visited once for all outcomes together. For a single player (or if only
// one role ever decides) this is Algorithm 2: the best reward it can reach; a state from which no
// terminal state can be reached is endless.
//
// If there are two roles with opposed preferences, this is done for both: the first role forces at
// least a, the second holds it to at most b. If a = b, this is the value. Otherwise each can keep
// the other from more, but only by playing forever. GDL has no reward for that (its games must
// end); Algorithm 3 calls it a draw, and so do we: endless play is even, and slightly worse than an
// end with even rewards. Hence the value is a if that is at least even for the first role, and b if
// that is at least even for the second. In the other states the players end the game evenly if they
// can. The rest is endless, a separate outcome that is never reported as a reward. So every state
// still has the value of its best successor.
//
// With more roles, or with interests that partly agree, values on cycles depend on more than an
// order of outcomes; such games are refused.

#include "solve/explicit/retrograde.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_name.h"
#include "solve/explicit/predecessors.h"

namespace zermelo::solve {
namespace {

std::vector<StateIndex> count_predecessors(const GameGraph& graph) {
  std::vector<StateIndex> count(graph.size());
  for (const StateIndex successor : graph.edges) ++count[successor];
  return count;
}

// The states that are neither on a cycle nor behind one, each after its predecessors. These are all
// states if there is no cycle.
std::vector<StateIndex> topological_order(const GameGraph& graph, LimitWatch& watch) {
  std::vector<StateIndex> waiting_for = count_predecessors(graph);
  std::vector<StateIndex> order;
  order.reserve(graph.size());
  if (waiting_for[0] == 0) order.push_back(0);
  for (std::size_t i = 0; i < order.size() && !watch.stopped(); ++i) {
    for (const StateIndex successor : graph.successors(order[i])) {
      if (--waiting_for[successor] == 0) order.push_back(successor);
    }
  }
  return order;
}

std::vector<Outcome> evaluate_backwards(const GameGraph& graph, const Ranks& ranks,
                                        const std::vector<StateIndex>& order, LimitWatch& watch) {
  std::vector<Outcome> values = graph.terminal;
  for (auto state = order.rbegin(); state != order.rend() && !watch.stopped(); ++state) {
    const auto successors = graph.successors(*state);
    if (successors.empty()) continue;
    const std::vector<std::uint32_t>& rank =
        ranks[graph.movers[*state] == nobody ? 0 : graph.movers[*state]];
    Outcome best = values[successors.front()];
    for (const StateIndex successor : successors.subspan(1)) {
      if (rank[values[successor]] < rank[best]) best = values[successor];
    }
    values[*state] = best;
  }
  return values;
}

// The best outcome that the role can force in each state, whatever the others do.
class Forcing {
 public:
  Forcing(const GameGraph& graph, const Predecessors& predecessors, std::size_t role,
          LimitWatch& watch)
      : graph_(graph), predecessors_(predecessors), role_(role), watch_(watch) {}

  // The result is incomplete if the watch has stopped.
  std::vector<Outcome> run(const std::vector<std::uint32_t>& rank) {
    if (watch_.stopped_now()) return {};
    forced_.assign(graph_.size(), unknown_outcome);
    open_.resize(graph_.size());
    std::vector<std::vector<StateIndex>> ends(graph_.outcomes.size());  // by rank
    for (StateIndex s = 0; s < graph_.size(); ++s) {
      open_[s] = static_cast<StateIndex>(graph_.successors(s).size());
      if (graph_.terminal[s] != unknown_outcome) ends[rank[graph_.terminal[s]]].push_back(s);
    }
    for (std::vector<StateIndex>& queue : ends) spread(queue);
    return std::move(forced_);
  }

 private:
  void spread(std::vector<StateIndex>& queue) {
    if (queue.empty()) return;
    const Outcome outcome = graph_.terminal[queue.front()];
    for (const StateIndex end : queue) forced_[end] = outcome;
    for (std::size_t i = 0; i < queue.size() && !watch_.stopped(); ++i) {
      for (const StateIndex before : predecessors_[queue[i]]) {
        if (forced_[before] != unknown_outcome || !decided(before)) continue;
        forced_[before] = outcome;
        queue.push_back(before);
      }
    }
  }

  // Called when one more successor of the state is forced; whether the state now is.
  bool decided(StateIndex state) { return --open_[state] == 0 || graph_.movers[state] == role_; }

  const GameGraph& graph_;
  const Predecessors& predecessors_;
  std::size_t role_;
  LimitWatch& watch_;
  std::vector<Outcome> forced_;
  std::vector<StateIndex> open_;  // successors that are not forced
};

bool opposed(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  for (std::size_t outcome = 0; outcome < a.size(); ++outcome) {
    if (a[outcome] + b[outcome] + 1 != a.size()) return false;
  }
  return true;
}

std::vector<bool> deciding(const GameGraph& graph, std::size_t roles) {
  std::vector<bool> decides(roles);
  for (const Mover mover : graph.movers) {
    if (mover != nobody) decides[mover] = true;
  }
  return decides;
}

// A role that can leave endless play for an even end does so.
void end_evenly(const Predecessors& predecessors, const Settlement& settlement,
                std::vector<Outcome>& values, LimitWatch& watch) {
  std::vector<StateIndex> queue;
  for (StateIndex s = 0; s < values.size(); ++s) {
    if (settlement.is_even(values[s])) queue.push_back(s);
  }
  for (std::size_t i = 0; i < queue.size() && !watch.stopped(); ++i) {
    for (const StateIndex before : predecessors[queue[i]]) {
      if (values[before] != unknown_outcome) continue;
      values[before] = values[queue[i]];
      queue.push_back(before);
    }
  }
}

std::vector<Outcome> evaluate_cyclic(const GameGraph& graph, OpponentModel model,
                                     const Ranks& ranks, const std::vector<std::size_t>& roles,
                                     LimitWatch& watch) {
  const Predecessors predecessors(graph, watch);
  const std::size_t first = roles.empty() ? 0 : roles[0];
  std::vector<Outcome> values = Forcing(graph, predecessors, first, watch).run(ranks[first]);
  if (roles.size() < 2) return values;
  const std::vector<Outcome> held =
      Forcing(graph, predecessors, roles[1], watch).run(ranks[roles[1]]);
  if (watch.limit()) return values;
  const Settlement settlement(graph.outcomes, model, first, roles[1]);
  for (StateIndex s = 0; s < graph.size(); ++s) values[s] = settlement.settle(values[s], held[s]);
  end_evenly(predecessors, settlement, values, watch);
  return values;
}

}  // namespace

Settlement::Settlement(const std::vector<Rewards>& outcomes, OpponentModel model, std::size_t first,
                       std::size_t second) {
  for (const Rewards& rewards : outcomes) {
    balance_.push_back(aim(model, first, rewards) - aim(model, second, rewards));
  }
}

Outcome Settlement::settle(Outcome first, Outcome second) const {
  if (first == second) return first;
  if (first != unknown_outcome && balance_[first] >= 0) return first;
  if (second != unknown_outcome && balance_[second] <= 0) return second;
  return unknown_outcome;
}

base::Result<std::vector<std::size_t>> contestants(const Ranks& ranks,
                                                   const std::vector<bool>& decides) {
  if (ranks.size() == 2 && opposed(ranks[0], ranks[1])) return std::vector<std::size_t>{0, 1};
  std::vector<std::size_t> roles;
  for (std::size_t role = 0; role < ranks.size(); ++role) {
    if (decides[role]) roles.push_back(role);
  }
  if (roles.size() < 2) return roles;
  if (roles.size() == 2 && opposed(ranks[roles[0]], ranks[roles[1]])) return roles;
  const char* reason = roles.size() > 2
                           ? "more than two roles decide"
                           : "the better outcome for one of the two roles that decide is not "
                             "always the worse one for the other";
  return base::fail(base::ErrorKind::not_applicable,
                    fmt::format("states can repeat, and {}: such games cannot be solved", reason));
}

base::Result<GraphValues> evaluate(const GameGraph& graph, OpponentModel model,
                                   const base::Limits& limits) {
  if (graph.outcomes.empty()) return GraphValues{graph.terminal, true};
  Ranks rank_of;
  for (std::size_t role = 0; role < graph.outcomes.front().size(); ++role) {
    rank_of.push_back(ranks(model, role, graph.outcomes));
  }
  LimitWatch watch(limits);
  const auto stopped = [&] {
    return tl::unexpected(base::limit_error(
        *watch.limit(), fmt::format("after finding the {} states", graph.size())));
  };
  if (watch.stopped_now()) return stopped();
  std::vector<StateIndex> order = topological_order(graph, watch);
  if (watch.stopped_now()) return stopped();
  GraphValues result;
  result.cyclic = order.size() < graph.size();
  if (result.cyclic) {
    order = {};
    const auto roles = contestants(rank_of, deciding(graph, rank_of.size()));
    if (!roles) return tl::unexpected(roles.error());
    result.values = evaluate_cyclic(graph, model, rank_of, *roles, watch);
  } else {
    result.values = evaluate_backwards(graph, rank_of, order, watch);
  }
  if (watch.stopped_now()) return stopped();
  return result;
}

}  // namespace zermelo::solve

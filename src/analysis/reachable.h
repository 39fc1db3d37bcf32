// Breadth-first enumeration of the reachable states, with the graph of their successors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/paced_limits.h"
#include "base/state_machine.h"
#include "machine/perft.h"

namespace zermelo::analysis {

using StateIndex = std::uint32_t;

// A line of play: the names of the joint moves, by step and by role.
using Line = std::vector<std::vector<std::string>>;

struct ReachableLimits {
  std::uint64_t max_states = 1'000'000;
  base::Limits limits;
  std::uint64_t max_joint_moves = ~std::uint64_t{0};  // of one state
};

template <base::StateMachine M>
struct Reachable {
  using State = typename M::State;

  std::vector<State> states;              // in the order of discovery; the initial state first
  std::vector<StateIndex> parents;        // from which each was found; the initial state has itself
  std::vector<std::uint64_t> first_edge;  // by expanded state, one more at the end
  std::vector<StateIndex> edges;          // successors, without duplicates
  bool complete = false;  // false: a limit was reached, and not all states were expanded
  // The joint moves of the state at which ReachableLimits::max_joint_moves was exceeded, or 0.
  double too_many_joint_moves = 0;

  StateIndex expanded() const { return static_cast<StateIndex>(first_edge.size() - 1); }
};

namespace detail {

template <base::StateMachine M>
class Enumeration {
 public:
  using State = typename M::State;

  Enumeration(M& machine, const ReachableLimits& limits)
      : machine_(machine),
        limits_(limits),
        paced_(limits.limits),
        known_(1024, Hash{&result_.states}, Equal{&result_.states}) {}
  Enumeration(const Enumeration&) = delete;
  Enumeration& operator=(const Enumeration&) = delete;

  template <class Visit>
  Reachable<M> run(Visit visit) {
    result_.first_edge.push_back(0);
    find(machine_.initial_state(), 0);
    StateIndex next = 0;
    while (next < result_.states.size() && !exhausted() && expand(next, visit)) ++next;
    result_.complete = next == result_.states.size();
    return std::move(result_);
  }

 private:
  struct Hash {
    const std::vector<State>* states;
    std::size_t operator()(StateIndex i) const { return std::hash<State>{}((*states)[i]); }
  };
  struct Equal {
    const std::vector<State>* states;
    bool operator()(StateIndex a, StateIndex b) const { return (*states)[a] == (*states)[b]; }
  };

  bool exhausted() {
    return result_.states.size() > limits_.max_states || paced_.exceeded().has_value();
  }

  StateIndex find(State state, StateIndex parent) {
    result_.states.push_back(std::move(state));
    const auto [entry, is_new] = known_.insert(static_cast<StateIndex>(result_.states.size() - 1));
    if (is_new) {
      result_.parents.push_back(parent);
    } else {
      result_.states.pop_back();
    }
    return *entry;
  }

  // Returns false, without edges of the state, if a limit was reached.
  template <class Visit>
  bool expand(StateIndex index, Visit& visit) {
    const auto first = static_cast<std::ptrdiff_t>(result_.edges.size());
    if (visit(result_, index) && !find_successors(index)) {
      result_.edges.resize(static_cast<std::size_t>(first));
      return false;
    }
    std::sort(result_.edges.begin() + first, result_.edges.end());
    result_.edges.erase(std::unique(result_.edges.begin() + first, result_.edges.end()),
                        result_.edges.end());
    result_.first_edge.push_back(result_.edges.size());
    return true;
  }

  bool find_successors(StateIndex index) {
    const State state = result_.states[index];
    const std::vector<std::vector<machine::Move>> legal = machine::all_legal_moves(machine_, state);
    const double joint_moves = machine::joint_moves(legal);
    if (joint_moves > static_cast<double>(limits_.max_joint_moves)) {
      result_.too_many_joint_moves = joint_moves;
      return false;
    }
    return machine::for_each_joint_move(legal, [&](std::span<const machine::Move> joint) {
      result_.edges.push_back(find(machine_.next_state(state, joint), index));
      return !exhausted();
    });
  }

  M& machine_;
  const ReachableLimits& limits_;
  base::PacedLimits paced_;
  Reachable<M> result_;
  std::unordered_set<StateIndex, Hash, Equal> known_;
};

}  // namespace detail

// Enumerates until all states are found or a limit is reached. Calls visit(found so far, index) for
// every state in order. If it returns false, the state is not expanded, as for a terminal state.
template <base::StateMachine M, class Visit>
Reachable<M> enumerate(M& machine, const ReachableLimits& limits, Visit visit) {
  return detail::Enumeration<M>(machine, limits).run(visit);
}

template <base::StateMachine M>
Reachable<M> enumerate(M& machine, const ReachableLimits& limits) {
  return enumerate(machine, limits, [&](const Reachable<M>& found, StateIndex index) {
    return !machine.terminal(found.states[index]);
  });
}

// Returns a joint move that leads from one state to another; empty if there is none.
template <base::StateMachine M>
std::vector<std::string> find_joint_move(M& machine, const typename M::State& from,
                                         const typename M::State& to) {
  std::vector<std::string> names;
  machine::for_each_joint_move(machine::all_legal_moves(machine, from),
                               [&](std::span<const machine::Move> joint) {
                                 if (machine.next_state(from, joint) != to) return true;
                                 for (const machine::Move m : joint) {
                                   names.push_back(machine.move_name(m));
                                 }
                                 return false;
                               });
  return names;
}

// Returns the moves along a path of states.
template <base::StateMachine M>
Line line_along(M& machine, const Reachable<M>& found, const std::vector<StateIndex>& path) {
  Line line;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    line.push_back(find_joint_move(machine, found.states[path[i]], found.states[path[i + 1]]));
  }
  return line;
}

// Returns a shortest path of states from the initial one.
template <base::StateMachine M>
std::vector<StateIndex> path_to(const Reachable<M>& found, StateIndex index) {
  std::vector<StateIndex> path{index};
  for (; index != found.parents[index]; index = found.parents[index]) {
    path.push_back(found.parents[index]);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace zermelo::analysis

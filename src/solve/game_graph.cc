// Breadth-first enumeration with one Stepper.
//
// The moves of a state lead to successors that are looked up in one table; what is new is expanded
// in its turn. Roles may have several moves at the same time as long as the successor depends on
// the move of one role only, which then is the one that decides: a simultaneous decision that does
// not matter is none. To see this, each role's moves are first tried alone, with the first moves of
// the others; only where at most one role changes anything that way are all joint moves tried.

#include "solve/game_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "machine/perft.h"
#include "solve/refused_state.h"

namespace zermelo::solve {
namespace {

using base::ErrorKind;
using machine::Move;

class Explorer {
 public:
  // Requires fewer states than a table holds.
  Explorer(std::shared_ptr<const machine::Machine> machine, const base::Limits& limits,
           StateIndex most_states)
      : stepper_(machine),
        limits_(limits),
        most_states_(most_states),
        state_(machine->game().fluents.size()),
        legal_(machine->roles().size()),
        joint_(machine->roles().size()),
        graph_(state_.words().size()) {}

  // Nothing if there are more states.
  base::Result<std::optional<GameGraph>> run() {
    graph_.states.insert(stepper_.initial_state().words());
    StateIndex layer_end = 0;
    for (StateIndex s = 0; s < graph_.size() && !is_over(); ++s) {
      if (s == layer_end) {
        layer_end = graph_.size();
        graph_.first_of_layer.push_back(s);
      }
      expand(s);
    }
    if (error_) return tl::unexpected(*error_);
    if (has_too_many()) return std::nullopt;
    graph_.first_edge.push_back(graph_.edges.size());
    graph_.first_of_layer.push_back(graph_.size());
    return std::move(graph_);
  }

 private:
  const std::vector<std::string>& roles() const { return stepper_.roles(); }

  void expand(StateIndex index) {
    const StateTable::Words words = graph_.states[index];
    std::copy(words.begin(), words.end(), state_.words().begin());
    graph_.first_edge.push_back(graph_.edges.size());
    graph_.terminal.push_back(unknown_outcome);
    graph_.movers.push_back(nobody);
    if (stepper_.terminal(state_)) {
      graph_.terminal.back() = outcome();
      ++graph_.terminal_states;
    } else if (find_legal()) {
      follow_moves();
    }
  }

  Outcome outcome() {
    Rewards rewards;
    for (std::size_t role = 0; role < roles().size(); ++role) {
      const std::vector<int> goals = stepper_.goals(state_, role);
      if (goals.size() != 1) {
        refuse(fmt::format("{} has {} in the terminal state", roles()[role],
                           goals.empty() ? "no goal" : "several goals"));
        return unknown_outcome;
      }
      rewards.push_back(goals.front());
    }
    const auto [entry, is_new] =
        outcome_of_.try_emplace(rewards, static_cast<Outcome>(graph_.outcomes.size()));
    if (is_new) graph_.outcomes.push_back(std::move(rewards));
    return entry->second;
  }

  bool find_legal() {
    for (std::size_t role = 0; role < roles().size(); ++role) {
      legal_[role] = stepper_.legal_moves(state_, role);
      if (legal_[role].empty()) {
        refuse(roles()[role] + " has no legal move in the state");
        return false;
      }
      joint_[role] = legal_[role].front();
    }
    return true;
  }

  void follow_moves() {
    choosers_.clear();
    for (std::size_t role = 0; role < roles().size(); ++role) {
      if (legal_[role].size() > 1) choosers_.push_back(role);
    }
    if (choosers_.size() > 1) keep_the_decisive();
    if (error_) return;
    const std::size_t role = choosers_.empty() ? 0 : choosers_.front();
    const std::size_t first = graph_.edges.size();
    for (const Move move : legal_[role]) {
      joint_[role] = move;
      add_edge();
    }
    keep_different_edges(first);
    if (graph_.edges.size() > first + 1) graph_.movers.back() = static_cast<Mover>(role);
  }

  void add_edge() {
    if (stop_at_limit()) return;
    graph_.edges.push_back(graph_.states.insert(successor(joint_).words()));
  }

  void keep_different_edges(std::size_t first) {
    const auto begin = graph_.edges.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, graph_.edges.end());
    graph_.edges.erase(std::unique(begin, graph_.edges.end()), graph_.edges.end());
  }

  // Reduces the choosers to the one role whose choice changes the successor, if that is so.
  void keep_the_decisive() {
    std::vector<std::size_t> decisive;
    for (const std::size_t role : choosers_) {
      if (changes_successor(role)) decisive.push_back(role);
    }
    if (decisive.size() < 2 && depends_on_more_than(decisive)) decisive = choosers_;
    choosers_ = std::move(decisive);
    if (choosers_.size() > 1) {
      refuse(fmt::format("{} and {} decide at the same time in the state", roles()[choosers_[0]],
                         roles()[choosers_[1]]));
    }
  }

  // Whether another move of the role, with the first moves of the others, leads elsewhere.
  bool changes_successor(std::size_t role) {
    const machine::State first = successor(joint_);
    std::vector<Move> joint = joint_;
    return std::any_of(legal_[role].begin() + 1, legal_[role].end(), [&](Move move) {
      joint[role] = move;
      return successor(joint) != first;
    });
  }

  // Whether some joint move leads elsewhere than the decisive role's move in it does by itself.
  bool depends_on_more_than(const std::vector<std::size_t>& decisive) {
    return !machine::for_each_joint_move(legal_, [&](std::span<const Move> joint) {
      std::vector<Move> reduced = joint_;
      for (const std::size_t role : decisive) reduced[role] = joint[role];
      return !stop_at_limit() && successor(joint) == successor(reduced);
    });
  }

  machine::State successor(std::span<const Move> joint) {
    return stepper_.next_state(state_, joint);
  }

  bool stop_at_limit() {
    if (!error_ && ++steps_ % 256 == 0) {
      if (const auto limit = limits_.exceeded()) {
        error_ = {*limit, fmt::format("stopped after {} states, {} of them expanded", graph_.size(),
                                      graph_.first_edge.size())};
      }
    }
    return is_over();
  }

  bool has_too_many() const { return graph_.size() > most_states_; }
  bool is_over() const { return error_ || has_too_many(); }

  void refuse(const std::string& problem) {
    if (error_) return;
    error_ = refused_state(problem, state_, stepper_.machine().game());
  }

  machine::Stepper stepper_;
  const base::Limits& limits_;
  StateIndex most_states_;
  machine::State state_;  // the one that is expanded
  std::vector<std::vector<Move>> legal_;
  std::vector<Move> joint_;
  std::vector<std::size_t> choosers_;
  std::map<Rewards, Outcome> outcome_of_;
  GameGraph graph_;
  std::uint64_t steps_ = 0;
  std::optional<base::Error> error_;
};

}  // namespace

base::Result<GameGraph> explore(std::shared_ptr<const machine::Machine> machine,
                                const base::Limits& limits) {
  constexpr StateIndex most_states = StateTable::max_states - 1;
  auto graph = explore_up_to(most_states, std::move(machine), limits);
  if (!graph) return tl::unexpected(graph.error());
  if (!*graph) {
    return base::fail(ErrorKind::memory_limit, fmt::format("more than {} states", most_states));
  }
  return std::move(**graph);
}

base::Result<std::optional<GameGraph>> explore_up_to(
    StateIndex most_states, std::shared_ptr<const machine::Machine> machine,
    const base::Limits& limits) {
  return Explorer(std::move(machine), limits, most_states).run();
}

}  // namespace zermelo::solve

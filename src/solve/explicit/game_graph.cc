// Breadth-first enumeration, a block of states at a time.
//
// Successors are looked up in one table; new ones are expanded later. Several roles may have
// several moves at the same time, as long as the successor depends on the move of only one role,
// which is then the role that decides. To find it, each role's moves are first tried alone, with
// the first moves of the others. Only if at most one role changes the successor that way are all
// joint moves tried.
//
// A Stepper makes the moves of the first states. If there are more states, it pays to compile
// programs for 256 states at once (packed_steps.h); the graph is the same.

#include "solve/explicit/game_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/error_name.h"
#include "base/reward.h"
#include "machine/perft.h"
#include "solve/common/refused_state.h"
#include "solve/explicit/packed_steps.h"

namespace zermelo::solve {
namespace {

using base::ErrorKind;
using machine::Move;

// Up to this number of states, only the Stepper is used.
constexpr StateIndex few_states = 2'000;

class Explorer {
 public:
  // Requires fewer states than a table holds.
  Explorer(std::shared_ptr<const machine::Machine> machine, const base::Limits& limits,
           StateIndex max_states, StateReduction* reduction)
      : stepper_(machine),
        limits_(limits),
        max_states_(max_states),
        reduction_(reduction),
        reduced_(machine->game().fluents.size()),
        state_(machine->game().fluents.size()),
        legal_(lanes::lane_count * machine->roles().size()),
        joint_(machine->roles().size()),
        graph_(state_.words().size()) {}

  // Returns nullopt if there are more than max_states_.
  base::Result<std::optional<GameGraph>> run() {
    insert(stepper_.initial_state().words());
    for (StateIndex begin = 0; begin < graph_.size() && !is_over();) {
      graph_.first_of_layer.push_back(begin);
      const StateIndex end = graph_.size();
      while (begin < end && !is_over()) {
        if (begin >= few_states && !lanes_) make_lanes();
        const StateIndex some = std::min<StateIndex>(end - begin, lanes::lane_count);
        expand(begin, some);
        begin += some;
      }
    }
    if (error_) return tl::unexpected(*error_);
    if (has_too_many()) return std::nullopt;
    graph_.first_edge.push_back(graph_.edges.size());
    graph_.first_of_layer.push_back(graph_.size());
    return std::move(graph_);
  }

 private:
  // The findings about a state that is being expanded.
  struct Expanded {
    bool is_terminal = false;
    std::size_t mover = 0;  // the role whose moves are followed
    std::size_t moves = 0;  // of that role
  };

  const machine::Machine& machine() const { return stepper_.machine(); }
  const std::vector<std::string>& roles() const { return stepper_.roles(); }

  // Without groups, a packed state has one bit per fluent.
  void make_lanes() {
    const StatePacking packing(machine().game().fluents.size(), {});
    auto steps = PackedSteps::make(*machine().compiled(), packing, limits_);
    if (!steps) {
      error_ = steps.error();
      return;
    }
    programs_ = std::make_unique<const PackedSteps>(std::move(*steps));
    lanes_.emplace(*programs_);
  }

  // Expands `count` states of the last layer.
  void expand(StateIndex begin, StateIndex count) {
    expanded_.assign(count, {});
    successors_.clear();
    look(begin);
    for (StateIndex i = 0; i < count && !is_over(); ++i) {
      enter(begin + i);
      if (!expanded_[i].is_terminal) follow_moves(i);
    }
    make_moves();
    if (!is_over()) add_to_graph(begin);
  }

  void enter(StateIndex index) {
    const StateTable::Words words = graph_.states[index];
    std::copy(words.begin(), words.end(), state_.words().begin());
  }

  // Finds the terminal states and the legal moves of the others.
  void look(StateIndex begin) {
    for (std::vector<Move>& moves : legal_) moves.clear();
    lanes_ ? look_at_lanes(begin) : look_at_each(begin);
  }

  void look_at_each(StateIndex begin) {
    for (StateIndex i = 0; i < expanded_.size() && !stop_at_limit(); ++i) {
      enter(begin + i);
      expanded_[i].is_terminal = stepper_.terminal(state_);
      for (std::size_t role = 0; role < roles().size() && !expanded_[i].is_terminal; ++role) {
        legal(i, role) = stepper_.legal_moves(state_, role);
      }
    }
  }

  void look_at_lanes(StateIndex begin) {
    states_.clear();
    for (StateIndex i = 0; i < expanded_.size(); ++i) states_.push_back(graph_.states[begin + i]);
    lanes_->look(graph_.first_of_layer.size() - 1, states_);
    const lanes::Lanes terminal = lanes_->terminal();
    for (std::size_t i = 0; i < expanded_.size(); ++i) {
      expanded_[i].is_terminal = terminal[i / 64] >> i % 64 & 1;
    }
    const lanes::Lanes others = PackedStepper::first_lanes(expanded_.size()) & ~terminal;
    for (std::size_t role = 0; role < roles().size(); ++role) {
      for (const Move move : machine().moves(role)) {
        lanes_->for_each_legal(move, others,
                               [&](std::size_t i) { legal(i, role).push_back(move); });
      }
    }
  }

  std::vector<Move>& legal(std::size_t i, std::size_t role) {
    return legal_[i * roles().size() + role];
  }

  void add_to_graph(StateIndex begin) {
    auto successor = successors_.begin();
    for (StateIndex i = 0; i < expanded_.size() && !stop_at_limit(); ++i) {
      const Expanded& expanded = expanded_[i];
      const std::size_t first = graph_.edges.size();
      graph_.first_edge.push_back(first);
      enter(begin + i);
      graph_.terminal.push_back(expanded.is_terminal ? outcome() : unknown_outcome);
      graph_.terminal_states += expanded.is_terminal ? 1 : 0;
      const auto next = successor + static_cast<std::ptrdiff_t>(expanded.moves);
      graph_.edges.insert(graph_.edges.end(), successor, next);
      successor = next;
      keep_different_edges(first);
      const bool is_choice = graph_.edges.size() > first + 1;
      graph_.movers.push_back(is_choice ? static_cast<Mover>(expanded.mover) : nobody);
    }
  }

  Outcome outcome() {
    Rewards rewards;
    for (std::size_t role = 0; role < roles().size(); ++role) {
      rewards.push_back(base::reward_of(stepper_.goals(state_, role)));
    }
    const auto [entry, is_new] =
        outcome_of_.try_emplace(rewards, static_cast<Outcome>(graph_.outcomes.size()));
    if (is_new) graph_.outcomes.push_back(std::move(rewards));
    return entry->second;
  }

  // Follows the moves of state_.
  void follow_moves(std::size_t i) {
    choosers_.clear();
    for (std::size_t role = 0; role < roles().size(); ++role) {
      if (legal(i, role).empty()) return refuse(roles()[role] + " has no legal move in the state");
      joint_[role] = legal(i, role).front();
      if (legal(i, role).size() > 1) choosers_.push_back(role);
    }
    if (choosers_.size() > 1) keep_the_decisive(i);
    if (error_) return;
    Expanded& expanded = expanded_[i];
    expanded.mover = choosers_.empty() ? 0 : choosers_.front();
    expanded.moves = legal(i, expanded.mover).size();
    for (const Move move : legal(i, expanded.mover)) {
      joint_[expanded.mover] = move;
      add_move();
    }
  }

  void add_move() {
    if (stop_at_limit()) return;
    if (!lanes_) return add_successor(successor(joint_).words());
    if (lanes_->is_full()) make_moves();
    lanes_->add(state_.words(), joint_);
  }

  void make_moves() {
    if (lanes_) lanes_->run([&](StateTable::Words words) { add_successor(words); });
  }

  void add_successor(StateTable::Words words) {
    if (!is_over()) successors_.push_back(insert(words));
  }

  StateIndex insert(StateTable::Words words) {
    if (reduction_ == nullptr) return graph_.states.insert(words);
    std::copy(words.begin(), words.end(), reduced_.words().begin());
    reduction_->reduce(reduced_);
    return graph_.states.insert(reduced_.words());
  }

  void keep_different_edges(std::size_t first) {
    const auto begin = graph_.edges.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, graph_.edges.end());
    graph_.edges.erase(std::unique(begin, graph_.edges.end()), graph_.edges.end());
  }

  // Reduces choosers_ to the one role whose choice changes the successor, if there is only one.
  void keep_the_decisive(std::size_t i) {
    std::vector<std::size_t> decisive;
    for (const std::size_t role : choosers_) {
      if (changes_successor(i, role)) decisive.push_back(role);
    }
    if (decisive.size() < 2 && depends_on_more_than(i, decisive)) decisive = choosers_;
    choosers_ = std::move(decisive);
    if (choosers_.size() > 1) {
      refuse(fmt::format("{} and {} decide at the same time in the state", roles()[choosers_[0]],
                         roles()[choosers_[1]]));
    }
  }

  // Whether another move of the role, with the first moves of the others, has another successor.
  bool changes_successor(std::size_t i, std::size_t role) {
    const machine::State first = successor(joint_);
    const std::vector<Move>& moves = legal(i, role);
    std::vector<Move> joint = joint_;
    return std::any_of(moves.begin() + 1, moves.end(), [&](Move move) {
      joint[role] = move;
      return successor(joint) != first;
    });
  }

  // Whether the successor of some joint move differs from that of its decisive moves alone.
  bool depends_on_more_than(std::size_t i, const std::vector<std::size_t>& decisive) {
    std::vector<std::vector<Move>> moves;
    for (std::size_t role = 0; role < roles().size(); ++role) moves.push_back(legal(i, role));
    return !machine::for_each_joint_move(moves, [&](std::span<const Move> joint) {
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
        error_ = base::limit_error(*limit, fmt::format("after {} states, {} of them expanded",
                                                       graph_.size(), graph_.first_edge.size()));
      }
    }
    return is_over();
  }

  bool has_too_many() const { return graph_.size() > max_states_; }
  bool is_over() const { return error_ || has_too_many(); }

  void refuse(const std::string& problem) {
    if (error_) return;
    error_ = refused_state(problem, state_, machine().game());
  }

  machine::Stepper stepper_;
  const base::Limits& limits_;
  StateIndex max_states_;
  StateReduction* reduction_;  // null: none
  machine::State reduced_;
  std::unique_ptr<const PackedSteps> programs_;  // of the lanes
  std::optional<PackedStepper> lanes_;           // once there are more than few_states
  machine::State state_;                         // the current one
  std::vector<StateTable::Words> states_;        // being expanded
  std::vector<Expanded> expanded_;               // by state
  std::vector<std::vector<Move>> legal_;         // by state and role
  std::vector<StateIndex> successors_;           // by state and followed move, with duplicates
  std::vector<Move> joint_;
  std::vector<std::size_t> choosers_;
  std::map<Rewards, Outcome> outcome_of_;
  GameGraph graph_;
  std::uint64_t steps_ = 0;
  std::optional<base::Error> error_;
};

}  // namespace

base::Result<GameGraph> explore(std::shared_ptr<const machine::Machine> machine,
                                const base::Limits& limits, StateReduction* reduction) {
  constexpr StateIndex max_states = StateTable::max_states - 1;
  auto graph = explore_up_to(max_states, std::move(machine), limits, reduction);
  if (!graph) return tl::unexpected(graph.error());
  if (!*graph) {
    return base::fail(ErrorKind::memory_limit,
                      fmt::format("the explicit engine supports at most {} states", max_states));
  }
  return std::move(**graph);
}

base::Result<std::optional<GameGraph>> explore_up_to(
    StateIndex max_states, std::shared_ptr<const machine::Machine> machine,
    const base::Limits& limits, StateReduction* reduction) {
  return Explorer(std::move(machine), limits, max_states, reduction).run();
}

}  // namespace zermelo::solve

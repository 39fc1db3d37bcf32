// Breadth-first enumeration with all joint moves, a block of states at a time. A Stepper makes the
// moves of the first states; if there are more, programs for 256 states at once are compiled
// (packed_steps.h). The graph is the same.

#include "solve/simultaneous/joint_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error_name.h"
#include "base/reward.h"
#include "machine/perft.h"
#include "solve/common/refused_state.h"
#include "solve/explicit/packed_steps.h"

namespace zermelo::solve {
namespace {

// Up to this number of states, only the Stepper is used.
constexpr StateIndex steps_one_by_one = 2'000;

class JointExplorer {
 public:
  JointExplorer(std::shared_ptr<const machine::Machine> machine, const base::Limits& limits)
      : stepper_(machine),
        limits_(limits),
        state_(machine->game().fluents.size()),
        legal_(lanes::lane_count, std::vector<std::vector<machine::Move>>(machine->roles().size())),
        graph_(state_.words().size(), machine->roles().size()) {}

  base::Result<JointGraph> run() {
    graph_.states.insert(stepper_.initial_state().words());
    for (StateIndex begin = 0; begin < graph_.size() && !error_;) {
      graph_.first_of_layer.push_back(begin);
      const StateIndex end = graph_.size();
      while (begin < end && !error_) {
        if (begin >= steps_one_by_one && !lanes_) make_lanes();
        const StateIndex some = std::min<StateIndex>(end - begin, lanes::lane_count);
        if (!error_) expand(begin, some);
        begin += some;
      }
    }
    if (error_) return tl::unexpected(*error_);
    graph_.first_edge.push_back(graph_.edges.size());
    graph_.first_of_layer.push_back(graph_.size());
    return std::move(graph_);
  }

 private:
  const machine::Machine& machine() const { return stepper_.machine(); }

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

  void enter(StateIndex index) {
    const StateTable::Words words = graph_.states[index];
    std::copy(words.begin(), words.end(), state_.words().begin());
  }

  // Expands states of the last layer.
  void expand(StateIndex begin, StateIndex count) {
    terminal_.assign(count, false);
    for (StateIndex i = 0; i < count; ++i) {
      for (std::vector<machine::Move>& moves : legal_[i]) moves.clear();
    }
    lanes_ ? look_at_lanes(begin, count) : look_at_each(begin, count);
    for (StateIndex i = 0; i < count && !stop_at_limit(); ++i) {
      enter(begin + i);
      graph_.first_edge.push_back(edges_);
      graph_.terminal.push_back(terminal_[i] ? outcome() : unknown_outcome);
      graph_.terminal_states += terminal_[i] ? 1 : 0;
      for (const auto& moves : legal_[i]) {
        graph_.moves.push_back(static_cast<std::uint32_t>(moves.size()));
      }
      if (!terminal_[i]) follow_moves(i);
    }
    make_moves();
  }

  void look_at_each(StateIndex begin, StateIndex count) {
    for (StateIndex i = 0; i < count && !stop_at_limit(); ++i) {
      enter(begin + i);
      terminal_[i] = stepper_.terminal(state_);
      if (!terminal_[i]) legal_[i] = machine::all_legal_moves(stepper_, state_);
    }
  }

  void look_at_lanes(StateIndex begin, StateIndex count) {
    std::vector<StateTable::Words> states;
    for (StateIndex i = 0; i < count; ++i) states.push_back(graph_.states[begin + i]);
    lanes_->look(graph_.first_of_layer.size() - 1, states);
    const lanes::Lanes terminal = lanes_->terminal();
    for (std::size_t i = 0; i < count; ++i) terminal_[i] = terminal[i / 64] >> i % 64 & 1;
    const lanes::Lanes others = PackedStepper::first_lanes(count) & ~terminal;
    for (std::size_t role = 0; role < graph_.roles; ++role) {
      for (const machine::Move move : machine().moves(role)) {
        lanes_->for_each_legal(move, others,
                               [&](std::size_t i) { legal_[i][role].push_back(move); });
      }
    }
  }

  Outcome outcome() {
    Rewards rewards;
    for (std::size_t role = 0; role < graph_.roles; ++role) {
      rewards.push_back(base::reward_of(stepper_.goals(state_, role)));
    }
    const auto [entry, is_new] =
        outcome_of_.try_emplace(rewards, static_cast<Outcome>(graph_.outcomes.size()));
    if (is_new) graph_.outcomes.push_back(std::move(rewards));
    return entry->second;
  }

  // Follows the joint moves of state_.
  void follow_moves(StateIndex i) {
    for (std::size_t role = 0; role < graph_.roles; ++role) {
      if (!legal_[i][role].empty()) continue;
      error_ = refused_state(stepper_.roles()[role] + " has no legal move in the state", state_,
                             machine().game());
      return;
    }
    machine::for_each_joint_move(legal_[i], [&](std::span<const machine::Move> joint) {
      ++edges_;
      if (!lanes_) {
        add_successor(stepper_.next_state(state_, joint).words());
      } else {
        if (lanes_->is_full()) make_moves();
        lanes_->add(state_.words(), joint);
      }
      return !stop_at_limit();
    });
  }

  void make_moves() {
    if (lanes_) lanes_->run([&](StateTable::Words words) { add_successor(words); });
  }

  void add_successor(StateTable::Words words) {
    if (error_) return;
    if (graph_.size() + 1 >= StateTable::max_states) {
      error_ =
          base::Error{base::ErrorKind::memory_limit, "too many states for the explicit engine"};
      return;
    }
    graph_.edges.push_back(graph_.states.insert(words));
  }

  bool stop_at_limit() {
    if (!error_ && ++steps_ % 256 == 0) {
      if (const auto limit = limits_.exceeded()) {
        error_ = base::limit_error(*limit, fmt::format("after {} states, {} of them expanded",
                                                       graph_.size(), graph_.first_edge.size()));
      }
    }
    return error_.has_value();
  }

  machine::Stepper stepper_;
  const base::Limits& limits_;
  std::unique_ptr<const PackedSteps> programs_;  // of the lanes
  std::optional<PackedStepper> lanes_;           // once there are more than steps_one_by_one
  machine::State state_;                         // the current one
  std::vector<bool> terminal_;                   // by state being expanded
  std::vector<std::vector<std::vector<machine::Move>>> legal_;  // by state and role
  std::map<Rewards, Outcome> outcome_of_;
  JointGraph graph_;
  std::uint64_t edges_ = 0;  // including those that the lanes still compute
  std::uint64_t steps_ = 0;
  std::optional<base::Error> error_;
};

}  // namespace

bool decides(const JointGraph& graph, StateIndex state, std::size_t role) {
  const auto moves = graph.moves_of(state);
  const auto successors = graph.successors(state);
  if (moves[role] < 2) return false;
  std::size_t stride = 1;
  for (std::size_t before = 0; before < role; ++before) stride *= moves[before];
  const std::size_t block = stride * moves[role];
  for (std::size_t joint = 0; joint < successors.size(); ++joint) {
    const std::size_t first = joint - joint % block + joint % stride;  // with the role's first move
    if (successors[joint] != successors[first]) return true;
  }
  return false;
}

std::vector<StateIndex> predecessors_first(const JointGraph& graph, LimitWatch& watch) {
  std::vector<std::uint64_t> waiting_for(graph.size());
  for (const StateIndex successor : graph.edges) ++waiting_for[successor];
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

base::Result<JointGraph> explore_joint_moves(std::shared_ptr<const machine::Machine> machine,
                                             const base::Limits& limits) {
  return JointExplorer(std::move(machine), limits).run();
}

}  // namespace zermelo::solve

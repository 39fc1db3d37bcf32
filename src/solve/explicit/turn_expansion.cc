// Several roles may have several moves at the same time, as long as the successor depends on the
// move of only one role, which is then the role that decides. To find it, each role's moves are
// first tried alone, with the first moves of the others. Only if at most one role changes the
// successor that way are all joint moves tried.
//
// A Stepper makes the moves of the first states. If there are more states, it pays to compile
// programs for 256 states at once (packed_steps.h); the results are the same.

#include "solve/explicit/turn_expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/reward.h"
#include "machine/perft.h"
#include "solve/common/refused_state.h"

namespace zermelo::solve {

using machine::Move;

namespace {

// Up to this number of states, only the Stepper is used.
constexpr std::uint64_t few_states = 2'000;

}  // namespace

TurnExpander::TurnExpander(std::shared_ptr<const machine::Machine> machine,
                           const base::Limits& limits)
    : stepper_(machine),
      limits_(limits),
      state_(machine->game().fluents.size()),
      legal_(lanes::lane_count * machine->roles().size()),
      joint_(machine->roles().size()) {}

void TurnExpander::expand(std::size_t steps, std::span<const Words> states) {
  if (seen_ >= few_states && !lanes_) make_lanes();
  seen_ += states.size();
  expanded_.assign(states.size(), {});
  successors_.clear();
  look(steps, states);
  for (std::size_t i = 0; i < states.size() && !is_over(); ++i) {
    if (expanded_[i].is_terminal) continue;
    enter(states[i]);
    follow_moves(i);
  }
  make_moves();
  if (!is_over()) find_rewards(states);
}

bool TurnExpander::stop_at_limit() {
  if (!is_over() && ++steps_ % 256 == 0) limit_ = limits_.exceeded();
  return is_over();
}

// Without groups, a packed state has one bit per fluent.
void TurnExpander::make_lanes() {
  const StatePacking packing(machine().game().fluents.size(), {});
  auto steps = PackedSteps::make(*machine().compiled(), packing, limits_);
  if (!steps) {
    refusal_ = steps.error();
    return;
  }
  programs_ = std::make_unique<const PackedSteps>(std::move(*steps));
  lanes_.emplace(*programs_);
}

void TurnExpander::enter(Words state) {
  std::copy(state.begin(), state.end(), state_.words().begin());
}

// Finds the terminal states and the legal moves of the others.
void TurnExpander::look(std::size_t steps, std::span<const Words> states) {
  for (std::vector<Move>& moves : legal_) moves.clear();
  lanes_ ? look_at_lanes(steps, states) : look_at_each(states);
}

void TurnExpander::look_at_each(std::span<const Words> states) {
  for (std::size_t i = 0; i < states.size() && !stop_at_limit(); ++i) {
    enter(states[i]);
    expanded_[i].is_terminal = stepper_.terminal(state_);
    for (std::size_t role = 0; role < roles().size() && !expanded_[i].is_terminal; ++role) {
      legal(i, role) = stepper_.legal_moves(state_, role);
    }
  }
}

void TurnExpander::look_at_lanes(std::size_t steps, std::span<const Words> states) {
  lanes_->look(steps, states);
  const lanes::Lanes terminal = lanes_->terminal();
  for (std::size_t i = 0; i < states.size(); ++i) {
    expanded_[i].is_terminal = terminal[i / 64] >> i % 64 & 1;
  }
  const lanes::Lanes others = PackedStepper::first_lanes(states.size()) & ~terminal;
  for (std::size_t role = 0; role < roles().size(); ++role) {
    for (const Move move : machine().moves(role)) {
      lanes_->for_each_legal(move, others, [&](std::size_t i) { legal(i, role).push_back(move); });
    }
  }
}

void TurnExpander::find_rewards(std::span<const Words> states) {
  for (std::size_t i = 0; i < states.size() && !stop_at_limit(); ++i) {
    if (!expanded_[i].is_terminal) continue;
    enter(states[i]);
    for (std::size_t role = 0; role < roles().size(); ++role) {
      expanded_[i].rewards.push_back(base::reward_of(stepper_.goals(state_, role)));
    }
  }
}

// Follows the moves of state_.
void TurnExpander::follow_moves(std::size_t i) {
  choosers_.clear();
  for (std::size_t role = 0; role < roles().size(); ++role) {
    if (legal(i, role).empty()) return refuse(roles()[role] + " has no legal move in the state");
    joint_[role] = legal(i, role).front();
    if (legal(i, role).size() > 1) choosers_.push_back(role);
  }
  if (choosers_.size() > 1) keep_the_decisive(i);
  if (refusal_) return;
  Expanded& expanded = expanded_[i];
  expanded.mover = choosers_.empty() ? 0 : choosers_.front();
  expanded.moves = legal(i, expanded.mover).size();
  for (const Move move : legal(i, expanded.mover)) {
    joint_[expanded.mover] = move;
    add_move();
  }
}

void TurnExpander::add_move() {
  if (stop_at_limit()) return;
  if (!lanes_) return add_successor(successor(joint_).words());
  if (lanes_->is_full()) make_moves();
  lanes_->add(state_.words(), joint_);
}

void TurnExpander::make_moves() {
  if (lanes_) lanes_->run([&](Words words) { add_successor(words); });
}

void TurnExpander::add_successor(Words words) {
  if (!is_over()) successors_.insert(successors_.end(), words.begin(), words.end());
}

// Reduces choosers_ to the one role whose choice changes the successor, if there is only one.
void TurnExpander::keep_the_decisive(std::size_t i) {
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
bool TurnExpander::changes_successor(std::size_t i, std::size_t role) {
  const machine::State first = successor(joint_);
  const std::vector<Move>& moves = legal(i, role);
  std::vector<Move> joint = joint_;
  return std::any_of(moves.begin() + 1, moves.end(), [&](Move move) {
    joint[role] = move;
    return successor(joint) != first;
  });
}

// Whether the successor of some joint move differs from that of its decisive moves alone.
bool TurnExpander::depends_on_more_than(std::size_t i, const std::vector<std::size_t>& decisive) {
  std::vector<std::vector<Move>> moves;
  for (std::size_t role = 0; role < roles().size(); ++role) moves.push_back(legal(i, role));
  return !machine::for_each_joint_move(moves, [&](std::span<const Move> joint) {
    std::vector<Move> reduced = joint_;
    for (const std::size_t role : decisive) reduced[role] = joint[role];
    return !stop_at_limit() && successor(joint) == successor(reduced);
  });
}

machine::State TurnExpander::successor(std::span<const Move> joint) {
  return stepper_.next_state(state_, joint);
}

void TurnExpander::refuse(const std::string& problem) {
  if (!refusal_) refusal_ = refused_state(problem, state_, machine().game());
}

}  // namespace zermelo::solve

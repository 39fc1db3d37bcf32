// The successors of packed states by every joint move, 256 states at a time, and the number of
// terminal states among them. The common part of the enumeration by threads and by ranks.
//
//   JointSuccessors successors(machine, steps, {.limits = limits});
//   successors.take(steps_so_far, states, visit);   // visit(successor) receives packed words
//   while (successors.is_busy()) successors.expand_one(visit);
//   successors.finish(visit);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "machine/machine.h"
#include "solve/explicit/packed_steps.h"
#include "solve/explicit/state_packing.h"

namespace zermelo::solve {

// Must be used by one thread only. The arguments of the constructor must outlive it.
class JointSuccessors {
 public:
  using Words = StatePacking::ConstWords;

  JointSuccessors(const machine::Machine& machine, const PackedSteps& steps,
                  bool continue_past_terminal, const base::Limits& limits);

  // Takes up to 256 states after `steps` steps, whose words must stay valid until they are
  // expanded. Requires that no taken state is left. Visits the successors that were not yet.
  template <class Visit>
  void take(std::size_t steps, std::span<const Words> states, const Visit& visit) {
    finish(visit);
    states_.assign(states.begin(), states.end());
    expanded_ = 0;
    examine(steps);
  }
  // Whether some states were taken but not yet expanded.
  bool is_busy() const { return expanded_ < states_.size(); }
  // Expands the next state that was taken. Its successors may be visited later.
  template <class Visit>
  void expand_one(const Visit& visit) {
    follow(0, expanded_++, visit);
  }
  // Visits the successors that were not yet.
  template <class Visit>
  void finish(const Visit& visit) {
    stepper_.run(visit);
    if (++runs_ % 16 == 0) stopped_ = limits_.exceeded();
  }

  // The terminal states taken since the last call.
  std::uint64_t take_terminal() { return std::exchange(terminal_, 0); }
  // The limit that was reached. Successors may then be missing.
  std::optional<base::ErrorKind> stopped() const { return stopped_; }

 private:
  void examine(std::size_t steps);
  lanes::Lanes count_terminal();
  void list_legal(const lanes::Lanes& expanded);

  // Adds the state with every joint move that extends the moves of the roles before `role`.
  template <class Visit>
  void follow(std::size_t role, std::size_t state, const Visit& visit) {
    if (role == joint_.size()) {
      if (stepper_.is_full()) finish(visit);
      stepper_.add(states_[state], joint_);
      return;
    }
    for (const machine::Move move : legal_[state * joint_.size() + role]) {
      if (stopped_) return;
      joint_[role] = move;
      follow(role + 1, state, visit);
    }
  }

  const machine::Machine& machine_;
  PackedStepper stepper_;
  bool continue_past_terminal_;
  const base::Limits& limits_;
  std::vector<Words> states_;                      // taken
  std::size_t expanded_ = 0;                       // the number of states already expanded
  std::vector<std::vector<machine::Move>> legal_;  // by state and role
  std::vector<machine::Move> joint_;
  std::uint64_t terminal_ = 0;
  std::uint64_t runs_ = 0;
  std::optional<base::ErrorKind> stopped_;
};

}  // namespace zermelo::solve

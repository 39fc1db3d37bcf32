#include "solve/explicit/joint_successors.h"

#include <bit>

namespace zermelo::solve {

JointSuccessors::JointSuccessors(const machine::Machine& machine, const PackedSteps& steps,
                                 bool continue_past_terminal, const base::Limits& limits)
    : machine_(machine),
      stepper_(steps),
      continue_past_terminal_(continue_past_terminal),
      limits_(limits),
      legal_(lanes::lane_count * machine.roles().size()),
      joint_(machine.roles().size()) {}

void JointSuccessors::examine(std::size_t steps) {
  stepper_.look(steps, states_);
  list_legal(count_terminal());
}

// Counts terminal states. Returns the lanes of the states to expand.
lanes::Lanes JointSuccessors::count_terminal() {
  const lanes::Lanes all = PackedStepper::first_lanes(states_.size());
  const lanes::Lanes terminal = all & stepper_.terminal();
  for (std::size_t w = 0; w < lanes::lane_words; ++w) {
    terminal_ += static_cast<std::uint64_t>(std::popcount(terminal[w]));
  }
  return continue_past_terminal_ ? all : all & ~terminal;
}

void JointSuccessors::list_legal(const lanes::Lanes& expanded) {
  for (std::vector<machine::Move>& moves : legal_) moves.clear();
  for (std::size_t role = 0; role < joint_.size(); ++role) {
    for (const machine::Move move : machine_.moves(role)) {
      stepper_.for_each_legal(move, expanded, [&](std::size_t lane) {
        legal_[lane * joint_.size() + role].push_back(move);
      });
    }
  }
}

}  // namespace zermelo::solve

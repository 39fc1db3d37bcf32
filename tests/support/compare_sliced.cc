#include "support/compare_sliced.h"

#include <algorithm>
#include <vector>

namespace zermelo::testing {

namespace {

using lanes::Lanes;
using machine::Move;
using machine::State;

class SlicedComparison {
 public:
  SlicedComparison(const lanes::SlicedCode& code, machine::Stepper& stepper, std::size_t lanes,
                   std::uint64_t seed)
      : code_(code),
        machine_(code.machine()),
        stepper_(stepper),
        games_(code, seed),
        states_(lanes, stepper.initial_state()) {
    if (machine_.goals()) goal_frame_.emplace(machine_.goals()->slots);
    for (std::size_t lane = 0; lane < lanes::lane_count; ++lane)
      games_.set_state(0, lane, stepper.initial_state());
  }

  std::optional<std::string> run(std::size_t steps) {
    std::size_t phase = 0;
    for (std::size_t i = 0; i < steps && !difference_; ++i, phase = games_.following(phase))
      step(phase);
    return difference_;
  }

 private:
  bool bit(const lanes::Frame& frame, lanes::Slot slot, std::size_t lane) const {
    return frame[slot][lane / 64] >> (lane % 64) & 1;
  }

  void step(std::size_t number) {
    Lanes can_move;
    games_.begin_step(number, can_move);
    const lanes::SlicedPhase& phase = games_.phase(number);
    lanes::Frame& frame = games_.frame();
    for (std::size_t lane = 0; lane < states_.size() && !difference_; ++lane)
      compare_state(number, lane);
    if (phase.restart) frame[*phase.restart] = Lanes{};
    games_.end_step(number);
    for (std::size_t lane = 0; lane < states_.size() && !difference_; ++lane) follow(number, lane);
  }

  void expect(bool same, const std::string& what, std::size_t lane) {
    if (same || difference_) return;
    difference_ = what + " in lane " + std::to_string(lane) + " in the state";
    for (const std::string& name : stepper_.fluent_names(states_[lane])) *difference_ += " " + name;
  }

  void compare_state(std::size_t number, std::size_t lane) {
    const lanes::SlicedPhase& phase = games_.phase(number);
    const lanes::Frame& frame = games_.frame();
    const State& state = states_[lane];
    const ground::Game& game = machine_.game();
    for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
      std::vector<Move> legal;
      for (Move move = game.first_move_of[role]; move < game.first_move_of[role + 1]; ++move) {
        if (bit(frame, phase.legal[move], lane)) legal.push_back(move);
      }
      std::vector<Move> expected = stepper_.legal_moves(state, role);
      std::sort(expected.begin(), expected.end());
      expect(legal == expected, "legal moves differ", lane);
    }
    const bool terminal = stepper_.terminal(state);
    expect(bit(frame, phase.terminal, lane) == terminal, "terminal differs", lane);
    if (terminal) compare_goals(number, lane);
  }

  void compare_goals(std::size_t number, std::size_t lane) {
    const lanes::SlicedPhase& phase = games_.phase(number);
    const lanes::Frame* frame = &games_.frame();
    const std::vector<lanes::Slot>* slots = &phase.goals;
    if (goal_frame_) {
      const lanes::SlicedGoals& goals = *machine_.goals();
      for (std::size_t i = 0; i < goals.fluents.size(); ++i) {
        (*goal_frame_)[goals.state[i]] = (*frame)[phase.fluents[goals.fluents[i]]];
      }
      code_.goals()->run(goal_frame_->data());
      frame = &*goal_frame_;
      slots = &goals.goals;
    }
    for (std::uint32_t role = 0; role < machine_.game().roles.size(); ++role) {
      std::vector<int> values;
      for (std::size_t i = 0; i < slots->size(); ++i) {
        const auto& goal = machine_.goal_values()[i];
        if (goal.role == role && bit(*frame, (*slots)[i], lane)) values.push_back(goal.value);
      }
      expect(values == stepper_.goals(states_[lane], role), "goals differ", lane);
    }
  }

  // Makes the moves of the lane on the stepper. A lane whose game is over restarts at the first
  // phase.
  void follow(std::size_t number, std::size_t lane) {
    const ground::Game& game = machine_.game();
    std::vector<Move> joint;
    bool over = stepper_.terminal(states_[lane]);
    for (std::uint32_t role = 0; role < game.roles.size() && !over; ++role) {
      std::vector<Move> made;
      for (Move move = game.first_move_of[role]; move < game.first_move_of[role + 1]; ++move) {
        if (bit(games_.frame(), games_.phase(number).does[move], lane)) made.push_back(move);
      }
      const std::vector<Move> legal = stepper_.legal_moves(states_[lane], role);
      over = legal.empty();
      expect(over || made.size() == 1, "a role makes not exactly one move", lane);
      expect(over || made.empty() || std::count(legal.begin(), legal.end(), made[0]) == 1,
             "a role makes a move that is not legal", lane);
      if (made.size() == 1) joint.push_back(made[0]);
    }
    if (difference_) return;
    const std::size_t following = games_.following(number);
    if (over) {
      restart(lane, following);
      return;
    }
    const State next = stepper_.next_state(states_[lane], joint);
    for (std::size_t i = 0; i < machine_.live().size(); ++i) {
      const bool holds = bit(games_.frame(), games_.phase(following).state[i], lane);
      expect(holds == next.test(machine_.live()[i]), "the next state differs", lane);
    }
    states_[lane] = next;
  }

  // Returns any state of the phase: as many random moves from the start as the number of the phase.
  void restart(std::size_t lane, std::size_t phase) {
    State state = stepper_.initial_state();
    for (std::size_t i = 0; i < phase; ++i) {
      std::vector<Move> joint;
      for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
        const std::vector<Move> legal = stepper_.legal_moves(state, role);
        if (!legal.empty())
          joint.push_back(legal[random_.below(static_cast<std::uint32_t>(legal.size()))]);
      }
      if (joint.size() == stepper_.roles().size()) state = stepper_.next_state(state, joint);
    }
    states_[lane] = state;
    games_.set_state(phase, lane, state);
  }

  const lanes::SlicedCode& code_;
  const lanes::SlicedMachine& machine_;
  machine::Stepper& stepper_;
  lanes::SlicedGames games_;
  std::vector<State> states_;
  std::optional<lanes::Frame> goal_frame_;
  base::Random random_{17};
  std::optional<std::string> difference_;
};

}  // namespace

std::optional<std::string> compare_sliced(const lanes::SlicedCode& code, machine::Stepper& stepper,
                                          std::size_t steps, std::size_t lanes,
                                          std::uint64_t seed) {
  return SlicedComparison(code, stepper, lanes, seed).run(steps);
}

}  // namespace zermelo::testing

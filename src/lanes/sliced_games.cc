#include "lanes/sliced_games.h"

#include <algorithm>

#include "lanes/draw.h"

namespace zermelo::lanes {

SlicedCode::SlicedCode(std::shared_ptr<const SlicedMachine> machine)
    : machine_(std::move(machine)) {
  const auto make = [&](const LaneProgram& program, const SlotMap& slots,
                        const std::vector<const LaneProgram*>& later) {
    return make_executor(machine_->backend(), program, slots, later);
  };
  for (const SlicedPhase& phase : machine_->phases()) {
    phases_.push_back({make(phase.before_choice, phase.slots, {&phase.after_choice}),
                       make(phase.after_choice, phase.slots, {})});
  }
  if (machine_->goals()) goals_ = make(machine_->goals()->program, machine_->goals()->slots, {});
}

base::Result<std::shared_ptr<const SlicedCode>> make_sliced_code(
    std::shared_ptr<const circuit::CompiledGame> compiled, const SlicedOptions& options) {
  auto machine = SlicedMachine::make(std::move(compiled), options);
  if (!machine) return tl::unexpected(machine.error());
  return std::make_shared<const SlicedCode>(std::move(*machine));
}

namespace {

const SlotMap& largest(const std::vector<SlicedPhase>& phases) {
  return std::max_element(
             phases.begin(), phases.end(),
             [](const auto& a, const auto& b) { return a.slots.slots < b.slots.slots; })
      ->slots;
}

}  // namespace

SlicedGames::SlicedGames(const SlicedCode& code, std::uint64_t seed)
    : code_(code), random_(seed), frame_(largest(code.machine().phases())) {}

namespace {

ZERMELO_LANE_CODE void copy_lanes(const std::vector<SlotCopy>& copies, Lanes* frame) {
  for (const SlotCopy& copy : copies) frame[copy.to] = frame[copy.from];
}

}  // namespace

void SlicedGames::begin_step(std::size_t number, Lanes& can_move) {
  Lanes* frame = frame_.data();
  code_.phases()[number].before_choice->run(frame);
  can_move = all_lanes;
  for (const Draw& one : phase(number).draws) {
    draw_numbers(one, random_, trace_, frame);
    can_move &= frame[one.possible];
  }
  for (const Slot legal : phase(number).forced) can_move &= frame[legal];
}

void SlicedGames::end_step(std::size_t number) {
  Lanes* frame = frame_.data();
  code_.phases()[number].after_choice->run(frame);
  copy_lanes(phase(number).copies, frame);
}

void SlicedGames::set_state(std::size_t number, std::size_t lane, const base::BitSet& state) {
  Lanes one{};
  one[lane / 64] = std::uint64_t{1} << (lane % 64);
  set_state(number, one, state);
}

void SlicedGames::set_state(std::size_t number, const Lanes& lanes, const base::BitSet& state) {
  const std::vector<Slot>& slots = phase(number).state;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Lanes& fluent = frame_[slots[i]];
    fluent = state.test(machine().live()[i]) ? fluent | lanes : fluent & ~lanes;
  }
}

}  // namespace zermelo::lanes

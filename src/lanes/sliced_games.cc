#include "lanes/sliced_games.h"

#include <algorithm>

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

// Rounded up to whole cache lines.
Frame::Frame(std::size_t lanes)
    : lanes_(static_cast<Lanes*>(::operator new((lanes + lanes % 2) * sizeof(Lanes), alignment))) {
  std::memset(static_cast<void*>(lanes_), 0, lanes * sizeof(Lanes));
}

Frame::Frame(const SlotMap& slots) : Frame(std::size_t{slots.slots}) {
  lanes_[slots.slot_of[ones_value]] = all_lanes;
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

constexpr std::size_t max_bits = 32;

// A number for every lane, least significant bit first.
struct LaneNumber {
  Lanes last[max_bits];  // the largest allowed
  Lanes mask[max_bits];  // the bits up to the highest of `last`
  Lanes bits[max_bits];
};

// Draws random bits within the masks, and again in the lanes whose number is too large, so that all
// allowed numbers are equally likely. New bits may be added to the old ones by xor: the sum is
// uniform as well.
[[gnu::always_inline]] inline void draw_bits(LaneNumber& number, std::size_t size,
                                             LaneRandom& generator) {
  LaneRandom random = generator;
  Lanes missing = number.mask[0];
  while (any(missing)) {
    Lanes above{};
    for (std::size_t i = 0; i < size; ++i) {
      const Lanes last = number.last[i];
      const Lanes bit = number.bits[i] ^ (random.next() & number.mask[i] & missing);
      above = (bit & ~last) | (above & ~(bit ^ last));
      number.bits[i] = bit;
    }
    missing = above;
  }
  generator = random;
}

// Draws uniformly below the count in every lane. Sets `possible` in lanes whose count is not zero.
ZERMELO_LANE_CODE void draw(const Draw& draw, LaneRandom& random, Lanes& trace, Lanes* frame) {
  LaneNumber number;
  const std::size_t size = draw.count.size();
  Lanes borrow = all_lanes, possible{};
  for (std::size_t i = 0; i < size; ++i) {
    const Lanes count = frame[draw.count[i]];
    possible |= count;
    number.last[i] = count ^ borrow;
    borrow &= ~count;
    number.bits[i] = Lanes{};
  }
  Lanes seen{};
  std::size_t needed = 0;
  for (std::size_t i = size; i-- > 0;) {
    number.last[i] &= possible;
    seen |= number.last[i];
    number.mask[i] = seen;
    if (needed == 0 && any(seen)) needed = i + 1;
  }
  draw_bits(number, needed, random);
  for (std::size_t i = 0; i < draw.number.size(); ++i) {
    frame[draw.number[i]] = number.bits[i];
    trace = (trace << 7 | trace >> 57) ^ number.bits[i];
  }
  frame[draw.possible] = possible;
}

ZERMELO_LANE_CODE void copy_lanes(const std::vector<SlotCopy>& copies, Lanes* frame) {
  for (const SlotCopy& copy : copies) frame[copy.to] = frame[copy.from];
}

}  // namespace

void SlicedGames::begin_step(std::size_t number, Lanes& can_move) {
  Lanes* frame = frame_.data();
  code_.phases()[number].before_choice->run(frame);
  can_move = all_lanes;
  for (const Draw& one : phase(number).draws) {
    draw(one, random_, trace_, frame);
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

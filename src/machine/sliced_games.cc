#include "machine/sliced_games.h"

#include <numeric>

namespace zermelo::machine {

SlicedCode::SlicedCode(std::shared_ptr<const SlicedMachine> machine, LaneBackend backend)
    : machine_(std::move(machine)) {
  const auto make = [&](const LaneProgram& program, const SlotMap& slots,
                        const std::vector<const LaneProgram*>& later) {
    std::unique_ptr<LaneExecutor> code;
    if (backend == LaneBackend::machine_code) code = make_machine_code(program, slots, later);
    return code ? std::move(code) : make_interpreter(program, slots);
  };
  for (const SlicedPhase& phase : machine_->phases()) {
    phases_.push_back({make(phase.before_choice, phase.slots, {&phase.after_choice}),
                       make(phase.after_choice, phase.slots, {})});
  }
  if (machine_->goals()) goals_ = make(machine_->goals()->program, machine_->goals()->slots, {});
}

LaneBackend default_backend() {
  return can_make_machine_code() ? LaneBackend::machine_code : LaneBackend::interpreter;
}

base::Result<std::shared_ptr<const SlicedCode>> make_sliced_code(
    std::shared_ptr<const ground::Game> game, SlicedOptions options, LaneBackend backend) {
  options.group_operations = backend == LaneBackend::interpreter;
  auto machine = SlicedMachine::make(std::move(game), options);
  if (!machine) return tl::unexpected(machine.error());
  return std::make_shared<const SlicedCode>(std::move(*machine), backend);
}

Frame::Frame(std::size_t lanes)
    : lanes_(static_cast<Lanes*>(::operator new(lanes * sizeof(Lanes), alignment))) {
  std::memset(static_cast<void*>(lanes_), 0, lanes * sizeof(Lanes));
}

Frame::Frame(const SlotMap& slots) : Frame(std::size_t{slots.slots}) {
  lanes_[slots.slot_of[ones_value]] = all_lanes;
}

SlicedGames::SlicedGames(const SlicedCode& code, std::uint64_t seed) : code_(code), random_(seed) {
  for (const SlicedPhase& phase : code.machine().phases()) frames_.emplace_back(phase.slots);
  if (frames_.size() > 1) return;
  in_order_.resize(code.machine().live().size());
  copied_.emplace(in_order_.size());
  std::iota(in_order_.begin(), in_order_.end(), 0);
}

namespace {

// Draws uniformly below the count in every lane: random bits up to the highest bit of count - 1,
// again in the lanes where the number is not below the count. Sets `possible` where the count is
// not zero.
__attribute__((target_clones("avx2", "default"))) void draw(const Draw& draw, LaneRandom& random,
                                                            Lanes* frame) {
  constexpr std::size_t most_bits = 32;
  const std::size_t bits = draw.count.size();
  Lanes last[most_bits], mask[most_bits], number[most_bits];
  Lanes borrow = all_lanes, possible{};
  for (std::size_t i = 0; i < bits; ++i) {
    const Lanes count = frame[draw.count[i]];
    possible |= count;
    last[i] = count ^ borrow;
    borrow &= ~count;
    number[i] = Lanes{};
  }
  Lanes seen{};
  for (std::size_t i = bits; i-- > 0;) {
    last[i] &= possible;
    seen |= last[i];
    mask[i] = seen;
  }
  Lanes missing = possible;
  while (any(missing)) {
    Lanes above{}, drawn[most_bits];
    for (std::size_t i = 0; i < bits; ++i) {
      drawn[i] = random.next() & mask[i];
      above = (drawn[i] & ~last[i]) | (above & ~(drawn[i] ^ last[i]));
    }
    const Lanes accepted = missing & ~above;
    for (std::size_t i = 0; i < bits; ++i) number[i] |= drawn[i] & accepted;
    missing &= above;
  }
  for (std::size_t i = 0; i < bits; ++i) frame[draw.number[i]] = number[i];
  frame[draw.possible] = possible;
}

__attribute__((target_clones("avx2", "default"))) void copy_lanes(
    const Lanes* from, const std::vector<Slot>& read, Lanes* to, const std::vector<Slot>& written) {
  for (std::size_t i = 0; i < written.size(); ++i) to[written[i]] = from[read[i]];
}

}  // namespace

void SlicedGames::begin_step(std::size_t number, Lanes& can_move) {
  Lanes* frame = frames_[number].data();
  code_.phases()[number].before_choice->run(frame);
  can_move = all_lanes;
  for (const Draw& one : phase(number).draws) {
    draw(one, random_, frame);
    for (const Slot bit : one.number) trace_ = (trace_ << 7 | trace_ >> 57) ^ frame[bit];
    can_move &= frame[one.possible];
  }
  for (const Slot legal : phase(number).forced) can_move &= frame[legal];
}

void SlicedGames::end_step(std::size_t number) {
  Lanes* frame = frames_[number].data();
  code_.phases()[number].after_choice->run(frame);
  const std::vector<Slot>& next = phase(number).next;
  const std::vector<Slot>& state = phase(following(number)).state;
  if (following(number) != number) {
    copy_lanes(frame, next, frames_[following(number)].data(), state);
  } else {
    copy_lanes(frame, next, copied_->data(), in_order_);
    copy_lanes(copied_->data(), in_order_, frame, state);
  }
}

void SlicedGames::set_state(std::size_t number, std::size_t lane, const base::BitSet& state) {
  const std::uint64_t bit = std::uint64_t{1} << (lane % 64);
  for (std::size_t i = 0; i < machine().live().size(); ++i) {
    Lanes& lanes = frames_[number][phase(number).state[i]];
    if (state.test(machine().live()[i])) {
      lanes[lane / 64] |= bit;
    } else {
      lanes[lane / 64] &= ~bit;
    }
  }
}

}  // namespace zermelo::machine

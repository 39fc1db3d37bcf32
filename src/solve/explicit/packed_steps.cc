// Enumeration visits states in no useful order, and the successors of one state have little to do
// with those of the one before, so nothing is gained by computing only what changes. Bit-slicing
// does not depend on that: one pass over the rules serves any 256 states. Each phase has two
// programs. One runs on states and computes the legal moves; the other runs on pairs of a state and
// a joint move and computes the successors.
//
// States stay packed all the time. The programs first decode the fluents of a group from the bits
// of its field, and finally encode the successor, a few operations for 256 states. What remains per
// state is a transposition: lane i of the slot of bit j is bit j of state i (lanes/transpose.h).

#include "solve/explicit/packed_steps.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "lanes/lower.h"
#include "lanes/transpose.h"

namespace zermelo::solve {

using circuit::GameCircuit;
using lanes::Lanes;
using lanes::Slot;
using lanes::Value;

namespace {

// Compiles the programs of one phase.
class PackedCompiler {
 public:
  PackedCompiler(const GameCircuit& circuit, const StatePacking& packing)
      : circuit_(circuit), packing_(packing), lowering_(builder_, circuit) {
    read_state();
    for (const circuit::Wire move : circuit.does) {
      does_.push_back(builder_.add_input());
      lowering_.bind(move, does_.back());
    }
  }

  void make_look(PackedSteps::PackedProgram& program) {
    lowering_.emit_loops(0, circuit_.state_loops);
    std::vector<Value> outputs;
    for (const circuit::Wire legal : circuit_.legal) outputs.push_back(lowering_.value(legal));
    outputs.push_back(lowering_.value(circuit_.terminal));
    finish(outputs, program);
  }

  void make_step(PackedSteps::PackedProgram& program) {
    lowering_.emit_loops(0, circuit_.loops.size());
    std::vector<Value> outputs(packing_.words() * 64, builder_.zero());
    for (const StatePacking::Field& field : packing_.fields()) {
      for (std::size_t value = 0; value < field.fluents.size(); ++value) {
        if (field.fluents[value] == ground::no_atom) continue;
        const Value next = lowering_.value(circuit_.next[field.fluents[value]]);
        for (std::size_t bit = 0; bit < field.width; ++bit) {
          Value& output = outputs[field.first_bit + bit];
          if (value >> bit & 1) output = builder_.or_(output, next);
        }
      }
    }
    finish(outputs, program);
  }

 private:
  void read_state() {
    for (std::size_t bit = 0; bit < packing_.words() * 64; ++bit) {
      state_.push_back(builder_.add_input());
    }
    for (const StatePacking::Field& field : packing_.fields()) {
      for (std::size_t value = 0; value < field.fluents.size(); ++value) {
        if (field.fluents[value] == ground::no_atom) continue;
        lowering_.bind(circuit_.fluents[field.fluents[value]], is(field, value));
      }
    }
  }

  // Whether the field has the value. The builder shares common subexpressions.
  Value is(const StatePacking::Field& field, std::size_t value) {
    Value result = builder_.ones();
    for (std::size_t bit = field.width; bit-- > 0;) {
      const Value input = state_[field.first_bit + bit];
      result = value >> bit & 1 ? builder_.and_(result, input) : builder_.and_not(input, result);
    }
    return result;
  }

  void finish(const std::vector<Value>& outputs, PackedSteps::PackedProgram& program) {
    program.operations = builder_.take_program();
    std::vector<Value> kept = {builder_.zero(), builder_.ones()};
    kept.insert(kept.end(), state_.begin(), state_.end());
    kept.insert(kept.end(), does_.begin(), does_.end());
    kept.insert(kept.end(), outputs.begin(), outputs.end());
    lanes::optimise_for(lanes::default_backend(), {&program.operations}, kept, builder_.values());
    program.slots = lanes::allocate_slots({&program.operations}, kept, builder_.values());
    program.code =
        lanes::make_executor(lanes::default_backend(), program.operations, program.slots, {});
    const auto slots = [&](const std::vector<Value>& values) {
      std::vector<Slot> result;
      for (const Value value : values) result.push_back(program.slots.slot_of[value]);
      return result;
    };
    program.state = slots(state_);
    program.does = slots(does_);
    program.outputs = slots(outputs);
  }

  const GameCircuit& circuit_;
  const StatePacking& packing_;
  lanes::LaneBuilder builder_;
  lanes::Lowering lowering_;
  std::vector<Value> state_, does_;
};

}  // namespace

base::Result<PackedSteps> PackedSteps::make(const circuit::CompiledGame& game,
                                            const StatePacking& packing,
                                            const base::Limits& limits) {
  const auto circuits = game.reduced_circuits(limits);
  if (!circuits) return tl::unexpected(circuits.error());
  PackedSteps steps;
  steps.words_ = packing.words();
  for (const circuit::CircuitPointer& circuit : **circuits) {
    auto phase = std::make_unique<PhasePrograms>();
    PackedCompiler(*circuit, packing).make_look(phase->look);
    PackedCompiler(*circuit, packing).make_step(phase->step);
    steps.phases_.push_back(std::move(phase));
  }
  return steps;
}

PackedStepper::PackedStepper(const PackedSteps& steps)
    : steps_(steps), rows_(steps.words() * 64), successor_(steps.words()) {
  for (const auto& phase : steps.phases()) {
    frames_.push_back({lanes::Frame(phase->look.slots), lanes::Frame(phase->step.slots)});
  }
}

void PackedStepper::put(std::size_t lane, Words state) {
  for (std::size_t w = 0; w < state.size(); ++w) row(w, lane)[lane / 64] = state[w];
}

void PackedStepper::load(const PackedSteps::PackedProgram& program, lanes::Frame& frame) {
  for (std::size_t w = 0; w < steps_.words(); ++w) lanes::transpose(rows_.data() + w * 64);
  for (Slot bit = 0; bit < program.state.size(); ++bit) frame[program.state[bit]] = rows_[bit];
}

void PackedStepper::look(std::size_t steps, std::span<const Words> states) {
  assert(pairs_ == 0 && states.size() <= lanes::lane_count);
  phase_ = steps % frames_.size();
  for (std::size_t lane = 0; lane < states.size(); ++lane) put(lane, states[lane]);
  load(phase().look, frames_[phase_].look);
  phase().look.code->run(frames_[phase_].look.data());
}

const Lanes& PackedStepper::legal(machine::Move move) const {
  return frames_[phase_].look[phase().look.outputs[move]];
}

const Lanes& PackedStepper::terminal() const {
  return frames_[phase_].look[phase().look.outputs.back()];
}

Lanes PackedStepper::first_lanes(std::size_t count) {
  Lanes lanes{};
  for (std::size_t w = 0; w * 64 < count; ++w) {
    const std::size_t rest = count - w * 64;
    lanes[w] = rest < 64 ? (std::uint64_t{1} << rest) - 1 : ~std::uint64_t{0};
  }
  return lanes;
}

void PackedStepper::add(Words state, std::span<const machine::Move> joint) {
  put(pairs_, state);
  for (const machine::Move move : joint) {
    Lanes& lanes = frames_[phase_].step[phase().step.does[move]];
    lanes[pairs_ / 64] |= std::uint64_t{1} << pairs_ % 64;
    made_.push_back(move);
  }
  ++pairs_;
}

// The successors are in the rows afterwards.
void PackedStepper::step() {
  if (pairs_ == 0) return;
  const PackedSteps::PackedProgram& program = phase().step;
  lanes::Frame& frame = frames_[phase_].step;
  load(program, frame);
  program.code->run(frame.data());
  for (Slot bit = 0; bit < program.state.size(); ++bit) rows_[bit] = frame[program.outputs[bit]];
  for (const machine::Move move : made_) frame[program.does[move]] = Lanes{};
  made_.clear();
  for (std::size_t w = 0; w < steps_.words(); ++w) lanes::transpose(rows_.data() + w * 64);
}

PackedStepper::Words PackedStepper::successor(std::size_t pair) {
  for (std::size_t w = 0; w < successor_.size(); ++w) {
    successor_[w] = row(w, pair)[pair / 64];
  }
  return successor_;
}

}  // namespace zermelo::solve

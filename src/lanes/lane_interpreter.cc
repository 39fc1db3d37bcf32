// The interpreter. Operations are stored as slot numbers in runs of one kind, so that the loop over
// a run has no other branches.
#include "lanes/lane_executor.h"

namespace zermelo::lanes {

namespace {

struct SlotOp {
  Slot target, a, b, c;
  std::uint8_t table;
};

struct Run {
  Operation operation;
  std::size_t first, last;
};

struct InterpretedBlock {
  std::vector<SlotOp> ops;
  std::vector<Run> runs;
};

// The disjunction of the cases whose bits are set in the table.
[[gnu::always_inline]] inline void look_up(const SlotOp& op, Lanes* frame) {
  const Lanes a = frame[op.a], b = frame[op.b], c = frame[op.c];
  Lanes result{};
  for (unsigned bits = 0; bits < 8; ++bits) {
    if ((op.table >> bits & 1) == 0) continue;
    result |= (bits & 4 ? a : ~a) & (bits & 2 ? b : ~b) & (bits & 1 ? c : ~c);
  }
  frame[op.target] = result;
}

ZERMELO_LANE_CODE void interpret(const SlotOp* ops, const Run* runs, std::size_t count,
                                 Lanes* frame) {
  for (const Run* run = runs; run != runs + count; ++run) {
    const SlotOp* const last = ops + run->last;
    switch (run->operation) {
      case Operation::and_:
        for (const SlotOp* op = ops + run->first; op != last; ++op)
          frame[op->target] = frame[op->a] & frame[op->b];
        break;
      case Operation::and_not:
        for (const SlotOp* op = ops + run->first; op != last; ++op)
          frame[op->target] = ~frame[op->a] & frame[op->b];
        break;
      case Operation::or_:
        for (const SlotOp* op = ops + run->first; op != last; ++op)
          frame[op->target] = frame[op->a] | frame[op->b];
        break;
      case Operation::xor_:
        for (const SlotOp* op = ops + run->first; op != last; ++op)
          frame[op->target] = frame[op->a] ^ frame[op->b];
        break;
      case Operation::table:
        for (const SlotOp* op = ops + run->first; op != last; ++op) look_up(*op, frame);
        break;
    }
  }
}

class Interpreter : public LaneExecutor {
 public:
  Interpreter(const LaneProgram& program, const SlotMap& slots) : program_(program), slots_(slots) {
    for (const Block& block : program.blocks) {
      InterpretedBlock& interpreted = blocks_.emplace_back();
      for (const LaneOp& op : block.ops) {
        const std::size_t place = interpreted.ops.size();
        if (interpreted.runs.empty() || interpreted.runs.back().operation != op.operation) {
          interpreted.runs.push_back({op.operation, place, place});
        }
        interpreted.ops.push_back({slots.slot_of[op.target], slots.slot_of[op.a],
                                   slots.slot_of[op.b], slots.slot_of[op.c], op.table});
        interpreted.runs.back().last = place + 1;
      }
    }
  }

  void run(Lanes* frame) const override {
    run_blocks(program_, slots_, frame, [&](std::size_t index, Lanes* lanes) {
      const InterpretedBlock& block = blocks_[index];
      interpret(block.ops.data(), block.runs.data(), block.runs.size(), lanes);
    });
  }

 private:
  const LaneProgram& program_;
  const SlotMap& slots_;
  std::vector<InterpretedBlock> blocks_;
};

}  // namespace

std::unique_ptr<LaneExecutor> make_interpreter(const LaneProgram& program, const SlotMap& slots) {
  return std::make_unique<Interpreter>(program, slots);
}

}  // namespace zermelo::lanes

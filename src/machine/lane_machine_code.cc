// Machine code for lane programs: AVX2 operations on 16 registers, made by AsmJit.
//
// A block is straight code, so the next use of every value is known and registers are allocated by
// Belady's rule: when all are taken, the value used again last gives up its register. A value is
// written to its slot only when it gives up its register while still needed, or when something
// after the block reads it. An operand that is not in a register and not needed again soon is read
// from memory by the operation itself.
#include "machine/lane_executor.h"

#if defined(__x86_64__)

#include <asmjit/asmjit.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace zermelo::machine {

namespace {

namespace x86 = asmjit::x86;

constexpr int registers = 16;
constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
// An operand used again within so many operations is worth a register.
constexpr std::uint32_t soon = 40;
// Slots are addressed from here, so that more of them have a short displacement.
constexpr int frame_bias = 128;

class BlockAssembler {
 public:
  BlockAssembler(x86::Assembler& assembler, const Block& block, const SlotMap& slots,
                 const std::vector<bool>& stored)
      : assembler_(assembler),
        block_(block),
        slots_(slots),
        stored_(stored),
        register_of_(slots.slot_of.size(), none) {
    std::fill(std::begin(holds_), std::end(holds_), no_value);
    find_uses();
  }

  void run() {
    assembler_.add(x86::rdi, frame_bias);
    for (std::uint32_t i = 0; i < block_.ops.size(); ++i) emit(i);
    for (int r = 0; r < registers; ++r) {
      if (holds_[r] != no_value) give_up(r, static_cast<std::uint32_t>(block_.ops.size()));
    }
    assembler_.vzeroupper();
    assembler_.ret();
  }

 private:
  static constexpr std::int8_t none = -1;

  // For each operation the next use of its target and of its operands after it.
  struct NextUses {
    std::uint32_t target, a, b;
  };

  void find_uses() {
    std::vector<std::uint32_t> next(slots_.slot_of.size(), never);
    next_uses_.resize(block_.ops.size());
    for (std::size_t i = block_.ops.size(); i-- > 0;) {
      const LaneOp& op = block_.ops[i];
      next_uses_[i] = {next[op.target], next[op.a], next[op.b]};
      next[op.a] = next[op.b] = static_cast<std::uint32_t>(i);
    }
  }

  x86::Mem memory(Value value) const {
    return x86::ymmword_ptr(
        x86::rdi, static_cast<std::int32_t>(slots_.slot_of[value] * sizeof(Lanes)) - frame_bias);
  }

  // Frees a register, storing its value if it is needed later and not in memory.
  void give_up(int r, std::uint32_t now) {
    const Value value = holds_[r];
    const bool used_again = next_use_[r] != never && next_use_[r] >= now;
    if (is_dirty_[r] && (used_again || stored_[value]))
      assembler_.vmovdqa(memory(value), x86::Ymm(r));
    register_of_[value] = none;
    holds_[r] = no_value;
  }

  int free_register(std::uint32_t now, int keep_a, int keep_b) {
    int best = none;
    for (int r = 0; r < registers; ++r) {
      if (r == keep_a || r == keep_b) continue;
      if (holds_[r] == no_value) return r;
      if (best == none || next_use_[r] > next_use_[best]) best = r;
    }
    give_up(best, now);
    return best;
  }

  void take(int r, Value value, bool is_dirty) {
    holds_[r] = value;
    is_dirty_[r] = is_dirty;
    register_of_[value] = static_cast<std::int8_t>(r);
  }

  int load(Value value, std::uint32_t now, int keep) {
    const int r = free_register(now, keep, none);
    assembler_.vmovdqa(x86::Ymm(r), memory(value));
    take(r, value, false);
    return r;
  }

  void release_if_dead(int r) {
    if (r >= 0 && next_use_[r] == never && !(is_dirty_[r] && stored_[holds_[r]])) {
      register_of_[holds_[r]] = none;
      holds_[r] = no_value;
    }
  }

  void emit(std::uint32_t now) {
    LaneOp op = block_.ops[now];
    NextUses uses = next_uses_[now];
    const bool swaps = op.operation != Operation::and_not && register_of_[op.a] == none &&
                       register_of_[op.b] != none;
    if (swaps) {
      std::swap(op.a, op.b);
      std::swap(uses.a, uses.b);
    }
    int a = register_of_[op.a];
    if (a < 0) a = load(op.a, now, register_of_[op.b]);
    assert(a >= 0);
    next_use_[a] = uses.a;
    int b = register_of_[op.b];
    if (b < 0 && uses.b != never && uses.b - now < soon) b = load(op.b, now, a);
    if (b >= 0) next_use_[b] = uses.b;
    release_if_dead(a);
    if (b != a) release_if_dead(b);
    int target = none;
    if (holds_[a] == no_value) {
      target = a;
    } else if (b >= 0 && holds_[b] == no_value) {
      target = b;
    } else {
      target = free_register(now + 1, a, b);
    }
    if (b >= 0) {
      operate(op.operation, x86::Ymm(target), x86::Ymm(a), x86::Ymm(b));
    } else {
      operate(op.operation, x86::Ymm(target), x86::Ymm(a), memory(op.b));
    }
    take(target, op.target, true);
    next_use_[target] = uses.target;
    if (uses.target == never) give_up(target, now + 1);
  }

  template <class Second>
  void operate(Operation operation, const x86::Ymm& target, const x86::Ymm& a, const Second& b) {
    switch (operation) {
      case Operation::and_:
        assembler_.vpand(target, a, b);
        break;
      case Operation::and_not:
        assembler_.vpandn(target, a, b);
        break;
      case Operation::or_:
        assembler_.vpor(target, a, b);
        break;
      case Operation::xor_:
        assembler_.vpxor(target, a, b);
        break;
    }
  }

  x86::Assembler& assembler_;
  const Block& block_;
  const SlotMap& slots_;
  const std::vector<bool>& stored_;
  std::vector<std::int8_t> register_of_;  // by value
  std::vector<NextUses> next_uses_;       // by operation
  Value holds_[registers];
  bool is_dirty_[registers] = {};
  std::uint32_t next_use_[registers] = {};
};

class MachineCode : public LaneExecutor {
 public:
  MachineCode(const LaneProgram& program, const SlotMap& slots,
              const std::vector<const LaneProgram*>& later)
      : program_(program), slots_(slots) {
    std::vector<bool> stored = slots.is_kept;
    for (const LaneProgram* other : later) mark_read(*other, stored);
    for (std::size_t i = program.blocks.size(); i-- > 0;) {
      if (program.blocks[i].loops()) mark_read(program.blocks[i], stored);
      functions_.push_back(assemble(program.blocks[i], stored));
      mark_read(program.blocks[i], stored);
    }
    std::reverse(functions_.begin(), functions_.end());
  }

  bool is_complete() const {
    return std::none_of(functions_.begin(), functions_.end(),
                        [](Function f) { return f == nullptr; });
  }

  void run(Lanes* frame) const override {
    run_blocks(program_, slots_, frame,
               [&](std::size_t index, Lanes* lanes) { functions_[index](lanes); });
  }

 private:
  using Function = void (*)(Lanes*);

  static void mark_read(const Block& block, std::vector<bool>& stored) {
    for (const LaneOp& op : block.ops) stored[op.a] = stored[op.b] = true;
  }
  static void mark_read(const LaneProgram& program, std::vector<bool>& stored) {
    for (const Block& block : program.blocks) mark_read(block, stored);
  }

  // Nothing when the system refuses memory for code.
  Function assemble(const Block& block, const std::vector<bool>& stored) {
    asmjit::CodeHolder code;
    if (code.init(runtime_.environment()) != asmjit::kErrorOk) return nullptr;
    x86::Assembler assembler(&code);
    BlockAssembler(assembler, block, slots_, stored).run();
    Function function = nullptr;
    return runtime_.add(&function, &code) == asmjit::kErrorOk ? function : nullptr;
  }

  const LaneProgram& program_;
  const SlotMap& slots_;
  asmjit::JitRuntime runtime_;
  std::vector<Function> functions_;  // by block
};

}  // namespace

bool can_make_machine_code() { return __builtin_cpu_supports("avx2"); }

std::unique_ptr<LaneExecutor> make_machine_code(const LaneProgram& program, const SlotMap& slots,
                                                const std::vector<const LaneProgram*>& later) {
  auto code = std::make_unique<MachineCode>(program, slots, later);
  return code->is_complete() ? std::move(code) : nullptr;
}

}  // namespace zermelo::machine

#else

namespace zermelo::machine {

bool can_make_machine_code() { return false; }

std::unique_ptr<LaneExecutor> make_machine_code(const LaneProgram&, const SlotMap&,
                                                const std::vector<const LaneProgram*>&) {
  return nullptr;
}

}  // namespace zermelo::machine

#endif

// Machine code for lane programs, generated with AsmJit: AVX2 operations on 16 registers, or
// AVX-512 operations with up to three operands on 32 registers of the same width.
//
// A block is straight-line code, so the next use of every value is known and registers are
// allocated by Belady's rule: if all are in use, the value whose next use is farthest away is
// evicted. A value is stored to its slot only if it is evicted while still needed, or read after
// the block. An operand that is not in a register and not needed again soon is a memory operand of
// the instruction.
#include "lanes/lane_executor.h"

#if defined(__x86_64__)

#include <asmjit/asmjit.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

namespace zermelo::lanes {

namespace {

namespace x86 = asmjit::x86;

constexpr int max_registers = 32;
constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
// An operand that is used again within this number of operations gets a register.
constexpr std::uint32_t soon = 40;
// The base address of slots is moved by this, so that more slots have a short displacement.
constexpr int frame_bias = 128;

class BlockAssembler {
 public:
  BlockAssembler(x86::Assembler& assembler, const Block& block, const SlotMap& slots,
                 const std::vector<bool>& stored, int registers)
      : assembler_(assembler),
        block_(block),
        slots_(slots),
        stored_(stored),
        registers_(registers),
        register_of_(slots.slot_of.size(), none) {
    std::fill(std::begin(holds_), std::end(holds_), no_value);
    find_uses();
  }

  void run() {
    assembler_.add(x86::rdi, frame_bias);
    for (std::uint32_t i = 0; i < block_.ops.size(); ++i) {
      if (block_.ops[i].operation == Operation::table) {
        emit_table(i);
      } else {
        emit(i);
      }
    }
    for (int r = 0; r < registers_; ++r) {
      if (holds_[r] != no_value) evict(r, static_cast<std::uint32_t>(block_.ops.size()));
    }
    assembler_.vzeroupper();
    assembler_.ret();
  }

 private:
  static constexpr std::int8_t none = -1;

  // For each operation, the next uses of its target and operands.
  struct NextUses {
    std::uint32_t target;
    std::array<std::uint32_t, 3> operands;
  };

  void find_uses() {
    std::vector<std::uint32_t> next(slots_.slot_of.size(), never);
    next_uses_.resize(block_.ops.size());
    for (std::size_t i = block_.ops.size(); i-- > 0;) {
      const LaneOp& op = block_.ops[i];
      next_uses_[i] = {next[op.target], {next[op.a], next[op.b], next[op.c]}};
      for (const Value operand : op.operands()) next[operand] = static_cast<std::uint32_t>(i);
    }
  }

  x86::Mem memory(Value value) const {
    return x86::ymmword_ptr(
        x86::rdi, static_cast<std::int32_t>(slots_.slot_of[value] * sizeof(Lanes)) - frame_bias);
  }

  // Instructions for the first 16 registers are shorter.
  static bool is_low(int r) { return r < 16; }

  template <class To, class From>
  void move(int r, const To& to, const From& from) {
    if (is_low(r)) {
      assembler_.vmovdqa(to, from);
    } else {
      assembler_.vmovdqa64(to, from);
    }
  }

  // Frees a register. Stores its value if it is needed later and not in memory.
  void evict(int r, std::uint32_t now) {
    const Value value = holds_[r];
    const bool used_again = next_use_[r] != never && next_use_[r] >= now;
    if (is_dirty_[r] && (used_again || stored_[value])) move(r, memory(value), x86::Ymm(r));
    register_of_[value] = none;
    holds_[r] = no_value;
  }

  // Returns a free register that is not in the bit set `pinned`.
  int free_register(std::uint32_t now, std::uint32_t pinned) {
    int best = none;
    for (int r = 0; r < registers_; ++r) {
      if (pinned >> r & 1) continue;
      if (holds_[r] == no_value) return r;
      if (best == none || next_use_[r] > next_use_[best]) best = r;
    }
    evict(best, now);
    return best;
  }

  void take(int r, Value value, bool is_dirty) {
    holds_[r] = value;
    is_dirty_[r] = is_dirty;
    register_of_[value] = static_cast<std::int8_t>(r);
  }

  int load(Value value, std::uint32_t now, std::uint32_t pinned) {
    const int r = free_register(now, pinned);
    move(r, x86::Ymm(r), memory(value));
    take(r, value, false);
    return r;
  }

  static std::uint32_t bit(int r) { return r < 0 ? 0 : std::uint32_t{1} << r; }

  // An operation may have the same operand twice; its register is then free the second time.
  void release_if_dead(int r) {
    if (r < 0 || holds_[r] == no_value) return;
    if (next_use_[r] == never && !(is_dirty_[r] && stored_[holds_[r]])) {
      register_of_[holds_[r]] = none;
      holds_[r] = no_value;
    }
  }

  static bool is_soon(std::uint32_t use, std::uint32_t now) {
    return use != never && use - now < soon;
  }

  void emit(std::uint32_t now) {
    LaneOp op = block_.ops[now];
    std::uint32_t use_a = next_uses_[now].operands[0], use_b = next_uses_[now].operands[1];
    const bool swaps = op.operation != Operation::and_not && register_of_[op.a] == none &&
                       register_of_[op.b] != none;
    if (swaps) {
      std::swap(op.a, op.b);
      std::swap(use_a, use_b);
    }
    int a = register_of_[op.a];
    if (a < 0) a = load(op.a, now, bit(register_of_[op.b]));
    assert(a >= 0);
    next_use_[a] = use_a;
    int b = register_of_[op.b];
    if (b < 0 && is_soon(use_b, now)) b = load(op.b, now, bit(a));
    if (b >= 0) next_use_[b] = use_b;
    release_if_dead(a);
    if (b != a) release_if_dead(b);
    int target = none;
    if (holds_[a] == no_value) {
      target = a;
    } else if (b >= 0 && holds_[b] == no_value) {
      target = b;
    } else {
      target = free_register(now + 1, bit(a) | bit(b));
    }
    const bool low = is_low(target) && is_low(a) && (b < 0 || is_low(b));
    if (b >= 0) {
      operate(op.operation, low, x86::Ymm(target), x86::Ymm(a), x86::Ymm(b));
    } else {
      operate(op.operation, low, x86::Ymm(target), x86::Ymm(a), memory(op.b));
    }
    set_target(now, target);
  }

  void set_target(std::uint32_t now, int r) {
    take(r, block_.ops[now].target, true);
    next_use_[r] = next_uses_[now].target;
    if (next_use_[r] == never) evict(r, now + 1);
  }

  template <class Second>
  void operate(Operation operation, bool low, const x86::Ymm& target, const x86::Ymm& a,
               const Second& b) {
    switch (operation) {
      case Operation::and_:
        low ? assembler_.vpand(target, a, b) : assembler_.vpandq(target, a, b);
        break;
      case Operation::and_not:
        low ? assembler_.vpandn(target, a, b) : assembler_.vpandnq(target, a, b);
        break;
      case Operation::or_:
        low ? assembler_.vpor(target, a, b) : assembler_.vporq(target, a, b);
        break;
      case Operation::xor_:
        low ? assembler_.vpxor(target, a, b) : assembler_.vpxorq(target, a, b);
        break;
      case Operation::table:
        assert(false);
        break;
    }
  }

  // The locations of the three operands of an operation: registers or memory.
  struct Operands {
    std::array<Value, 3> values;
    std::array<std::uint32_t, 3> uses;
    std::array<int, 3> in;

    std::uint32_t registers() const { return bit(in[0]) | bit(in[1]) | bit(in[2]); }
  };

  // The instruction overwrites its first operand, preferably one that is not needed any more,
  // otherwise a copy. The last operand may be in memory.
  void emit_table(std::uint32_t now) {
    const LaneOp& op = block_.ops[now];
    Operands operands{op.operands(), next_uses_[now].operands, {none, none, none}};
    int in_memory = load_operands(now, operands);
    int first = dead_operand(operands);
    const bool copies = first == none;
    const int target = copies ? free_register(now + 1, operands.registers()) : operands.in[first];
    if (copies && in_memory != none) {
      move(target, x86::Ymm(target), memory(operands.values[in_memory]));
      first = std::exchange(in_memory, none);
    } else if (copies) {
      copy(target, operands.in[0]);
      first = 0;
    }
    const int last = in_memory != none ? in_memory : first == 2 ? 1 : 2;
    const int middle = 3 - first - last;
    const std::uint8_t table = permuted(op.table, {first, middle, last});
    const x86::Ymm second(operands.in[middle]);
    if (in_memory != none) {
      assembler_.vpternlogq(x86::Ymm(target), second, memory(operands.values[last]), table);
    } else {
      assembler_.vpternlogq(x86::Ymm(target), second, x86::Ymm(operands.in[last]), table);
    }
    set_target(now, target);
  }

  // Loads all operands but one that is not used again soon; returns that one.
  int load_operands(std::uint32_t now, Operands& operands) {
    for (int k = 0; k < 3; ++k) {
      operands.in[k] = register_of_[operands.values[k]];
      if (operands.in[k] >= 0) next_use_[operands.in[k]] = operands.uses[k];
    }
    int left = none;
    for (int k = 0; k < 3; ++k) {
      if (operands.in[k] >= 0) continue;
      if (left == none && !is_soon(operands.uses[k], now)) {
        left = k;
        continue;
      }
      operands.in[k] = load(operands.values[k], now, operands.registers());
      next_use_[operands.in[k]] = operands.uses[k];
    }
    return left;
  }

  // Releases the registers of operands that are not needed any more. Returns one of them.
  int dead_operand(const Operands& operands) {
    int dead = none;
    for (int k = 0; k < 3; ++k) {
      if (operands.in[k] < 0) continue;
      release_if_dead(operands.in[k]);
      if (holds_[operands.in[k]] == no_value) dead = k;
    }
    return dead;
  }

  void copy(int to, int from) {
    if (is_low(to) && is_low(from)) {
      assembler_.vmovdqa(x86::Ymm(to), x86::Ymm(from));
    } else {
      assembler_.vmovdqa64(x86::Ymm(to), x86::Ymm(from));
    }
  }

  // The table of the same function with permuted operands.
  static std::uint8_t permuted(std::uint8_t table, const std::array<int, 3>& order) {
    std::uint8_t result = 0;
    for (unsigned bits = 0; bits < 8; ++bits) {
      unsigned original = 0;
      for (int k = 0; k < 3; ++k) original |= (bits >> (2 - k) & 1) << (2 - order[k]);
      result = static_cast<std::uint8_t>(result | (table >> original & 1) << bits);
    }
    return result;
  }

  x86::Assembler& assembler_;
  const Block& block_;
  const SlotMap& slots_;
  const std::vector<bool>& stored_;
  const int registers_;
  std::vector<std::int8_t> register_of_;  // by value
  std::vector<NextUses> next_uses_;       // by operation
  Value holds_[max_registers];
  bool is_dirty_[max_registers] = {};
  std::uint32_t next_use_[max_registers] = {};
};

class MachineCode : public LaneExecutor {
 public:
  MachineCode(const LaneProgram& program, const SlotMap& slots,
              const std::vector<const LaneProgram*>& later, int registers)
      : program_(program), slots_(slots), registers_(registers) {
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
    for (const LaneOp& op : block.ops) {
      for (const Value operand : op.operands()) stored[operand] = true;
    }
  }
  static void mark_read(const LaneProgram& program, std::vector<bool>& stored) {
    for (const Block& block : program.blocks) mark_read(block, stored);
  }

  // Returns null if the system refuses memory for code.
  Function assemble(const Block& block, const std::vector<bool>& stored) {
    asmjit::CodeHolder code;
    if (code.init(runtime_.environment()) != asmjit::kErrorOk) return nullptr;
    x86::Assembler assembler(&code);
    BlockAssembler(assembler, block, slots_, stored, registers_).run();
    Function function = nullptr;
    return runtime_.add(&function, &code) == asmjit::kErrorOk ? function : nullptr;
  }

  const LaneProgram& program_;
  const SlotMap& slots_;
  const int registers_;
  asmjit::JitRuntime runtime_;
  std::vector<Function> functions_;  // by block
};

}  // namespace

bool is_available(LaneBackend backend) {
  switch (backend) {
    case LaneBackend::interpreter:
      return true;
    case LaneBackend::avx2:
      return __builtin_cpu_supports("avx2");
    case LaneBackend::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
  }
  return false;
}

std::unique_ptr<LaneExecutor> make_executor(LaneBackend backend, const LaneProgram& program,
                                            const SlotMap& slots,
                                            const std::vector<const LaneProgram*>& later) {
  if (backend == LaneBackend::interpreter || !is_available(backend)) {
    return make_interpreter(program, slots);
  }
  auto code = std::make_unique<MachineCode>(program, slots, later,
                                            backend == LaneBackend::avx512 ? 32 : 16);
  if (!code->is_complete()) return make_interpreter(program, slots);
  return code;
}

}  // namespace zermelo::lanes

#else

namespace zermelo::lanes {

bool is_available(LaneBackend backend) { return backend == LaneBackend::interpreter; }

std::unique_ptr<LaneExecutor> make_executor(LaneBackend, const LaneProgram& program,
                                            const SlotMap& slots,
                                            const std::vector<const LaneProgram*>&) {
  return make_interpreter(program, slots);
}

}  // namespace zermelo::lanes

#endif

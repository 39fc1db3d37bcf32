// Runs lane programs with an interpreter or with generated machine code. The results are the same.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lanes/lane_program.h"

namespace zermelo::lanes {

// One bit for each of 256 games. The compiler splits it if the processor has no such registers.
using Lanes = std::uint64_t __attribute__((vector_size(32)));
inline constexpr std::size_t lane_count = 256;
inline constexpr std::size_t lane_words = lane_count / 64;
inline constexpr Lanes all_lanes{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0},
                                 ~std::uint64_t{0}};

// Marks a function that is compiled for several kinds of processors. One version is chosen when the
// program starts, which is too early for the thread sanitizer.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define ZERMELO_LANE_CODE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define ZERMELO_LANE_CODE
#endif

class LaneExecutor {
 public:
  virtual ~LaneExecutor() = default;
  // `frame` has as many slots as the program's SlotMap, aligned to 32 bytes.
  virtual void run(Lanes* frame) const = 0;
};

enum class LaneBackend : std::uint8_t { interpreter, avx2, avx512 };
// Whether this processor supports the backend.
bool is_available(LaneBackend backend);
// The fastest available backend.
LaneBackend default_backend();

// Transforms programs that run one after the other into the form that the backend runs fastest.
// `kept` values are read afterwards.
void optimise_for(LaneBackend backend, const std::vector<LaneProgram*>& in_order,
                  const std::vector<Value>& kept, Value values);

// Values that are read after the program (in `slots.is_kept` or by `later`) are stored; others may
// exist only in registers. Falls back to the interpreter if the processor does not support the
// backend or the system does not permit generated code.
std::unique_ptr<LaneExecutor> make_executor(LaneBackend backend, const LaneProgram& program,
                                            const SlotMap& slots,
                                            const std::vector<const LaneProgram*>& later);

std::unique_ptr<LaneExecutor> make_interpreter(const LaneProgram& program, const SlotMap& slots);

// Runs the blocks of a program by calling run_block(index, frame), repeatedly for looping blocks.
template <class RunBlock>
void run_blocks(const LaneProgram& program, const SlotMap& slots, Lanes* frame,
                RunBlock run_block) {
  for (std::size_t index = 0; index < program.blocks.size(); ++index) {
    const Block& block = program.blocks[index];
    if (!block.loops()) {
      run_block(index, frame);
      continue;
    }
    for (const Value variable : block.variables) frame[slots.slot_of[variable]] = Lanes{};
    const Lanes* changed = frame + slots.slot_of[block.changed];
    do {
      run_block(index, frame);
      for (std::size_t i = 0; i < block.variables.size(); ++i) {
        frame[slots.slot_of[block.variables[i]]] = frame[slots.slot_of[block.values[i]]];
      }
    } while (((*changed)[0] | (*changed)[1] | (*changed)[2] | (*changed)[3]) != 0);
  }
}

}  // namespace zermelo::lanes

// Runs a StepProgram in one thread: the values of one state, updated when inputs flip.
//
//   context.flip(program.fluents[f]);
//   context.settle();
//   context.bit(program.phases[k].terminal)
#pragma once

#include <cstdint>
#include <vector>

#include "machine/step_program.h"

namespace zermelo::machine {

class SingleContext {
 public:
  // Starts at the state without fluents. The program must outlive the context.
  explicit SingleContext(const StepProgram& program);

  const StepProgram& program() const { return *program_; }
  // Flips an input. The bits are valid again after settle().
  void flip(circuit::Node node);
  void settle();

  bool bit(BitIndex index) const { return values_.bits[index / 64] >> (index % 64) & 1; }
  std::uint64_t word(WordIndex index) const { return values_.bits[index]; }

 private:
  void raise(std::uint32_t first, std::uint32_t last);
  void lower(std::uint32_t first, std::uint32_t last);
  void raise_leaves(std::uint32_t first, std::uint32_t last);
  void lower_leaves(std::uint32_t first, std::uint32_t last);
  void toggle(BitIndex bit, bool really) {
    values_.bits[bit / 64] ^= std::uint64_t{really} << (bit % 64);
  }
  void wait(circuit::Node node);
  void wait_loops(std::uint32_t first, std::uint32_t last);
  void settle_gate(circuit::Node node);
  void settle_loop(std::uint32_t loop);

  const StepProgram* program_;
  StepValues values_;
  std::vector<std::uint32_t> queue_;      // nodes, or loops after all nodes; a part for each level
  std::vector<std::uint32_t> queue_end_;  // by level
  std::vector<std::uint8_t> loop_waits_;
  std::vector<std::uint8_t> scratch_;
};

}  // namespace zermelo::machine

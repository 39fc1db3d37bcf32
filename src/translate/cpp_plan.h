// Which statements a C++ program consists of, in which functions: see cpp_plan.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "circuit/game_circuit.h"

namespace zermelo::translate {

// Assigns a wire to a place outside, or, without a target, names the wire's gate.
struct Statement {
  std::string target;
  circuit::Wire wire;
  bool raises = false;  // a loop's variable: notes a change
};

// The body of one function.
using Chunk = std::vector<Statement>;

// Variables [first, last) of all loops, repeated until none changes.
struct LoopRange {
  std::uint32_t first;
  std::uint32_t last;
};

struct Block {
  std::vector<Chunk> chunks;
  std::optional<LoopRange> loop;
};

// What is evaluated together: blocks in order.
struct Section {
  std::string name;
  std::vector<Block> blocks;
};

struct Plan {
  std::vector<Section> sections;
  std::vector<bool> is_inlined;  // by gate: written where it is read, not named
  std::vector<bool> is_negated;  // by gate: its name stands for the negation
  std::vector<bool> is_shared;   // by gate: read in another function than the one that names it
  std::vector<std::uint32_t> number;  // by input of a loop: the variable's number
  std::uint32_t loop_variables = 0;
};

// The outputs of a section, which may read what the sections in `after` have computed.
struct SectionTask {
  std::string name;
  std::vector<Statement> outputs;
  std::optional<std::size_t> after;
};

Plan make_plan(const circuit::GameCircuit& game, const std::vector<SectionTask>& tasks);

}  // namespace zermelo::translate

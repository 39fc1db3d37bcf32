// The statements of a C++ program and their distribution over functions: see cpp_plan.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/limited_steps.h"
#include "circuit/game_circuit.h"

namespace zermelo::translate {

// Assigns a wire to the target. Without a target, it assigns the gate of the wire to a new name.
struct Statement {
  std::string target;
  circuit::Wire wire;
  bool raises = false;  // the target is a loop variable; sets `changed`
};

// The body of one function.
using Chunk = std::vector<Statement>;

// The loop variables [first, last), evaluated until none changes.
struct LoopRange {
  std::uint32_t first;
  std::uint32_t last;
};

struct Block {
  std::vector<Chunk> chunks;
  std::optional<LoopRange> loop;
};

// Blocks that are evaluated together, in order.
struct Section {
  std::string name;
  std::vector<Block> blocks;
};

struct Plan {
  std::vector<Section> sections;
  std::vector<bool> is_inlined;       // by gate: written inside its reader, without a name
  std::vector<bool> is_negated;       // by gate: its name holds the negation
  std::vector<bool> is_shared;        // by gate: read in a different function
  std::vector<std::uint32_t> number;  // by input of a loop: the number of the variable
  std::uint32_t loop_variables = 0;
};

// The outputs of a section. It may read the results of the section `after`.
struct SectionTask {
  std::string name;
  std::vector<Statement> outputs;
  std::optional<std::size_t> after;
};

// Throws base::LimitReached at a limit of the steps.
Plan make_plan(const circuit::GameCircuit& game, const std::vector<SectionTask>& tasks,
               base::LimitedSteps& steps);

}  // namespace zermelo::translate

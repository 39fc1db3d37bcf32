// The upward pass: reduces child arrays, whose rows may repeat, to a diagram.
#pragma once

#include "dd/child_store.h"
#include "dd/diagram.h"
#include "dd/stop.h"
#include "dd/team.h"

namespace zermelo::dd {

enum class Reduction {
  exact,
  // Constant 0 is a don't-care value: a node whose other children are all equal becomes that child.
  // The result is arbitrary where the function is 0.
  dont_care,
};

// The output of the downward pass. Level 0 has one row, the root.
struct Expansion {
  ChildStore children;
  IdsByCode bottom;  // the constants of the codes below the last level
};

// Consumes the expansion. `domains` must have as many entries as the expansion has levels.
Passed<Diagram> reduce(const Domains& domains, NodeId constants, Expansion expansion,
                       Reduction reduction, const Options& options, Team& team);

}  // namespace zermelo::dd

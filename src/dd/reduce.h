// The upward pass: from child arrays, whose rows may repeat, to a reduced diagram.
#pragma once

#include "dd/child_store.h"
#include "dd/diagram.h"
#include "dd/stop.h"
#include "dd/team.h"

namespace zermelo::dd {

enum class Reduction {
  exact,
  // Constant 0 stands for "any value will do": a node whose other children are all equal is that
  // child. What the result says where the function is 0 means nothing.
  dont_care,
};

// What the downward pass leaves. Level 0 has one row, the root.
struct Expansion {
  ChildStore children;
  IdsByCode bottom;  // the constants of the codes below the last level
};

// Empties the expansion on the way. `domains` is as long as the expansion has levels.
Passed<Diagram> reduce(const Domains& domains, NodeId constants, Expansion expansion,
                       Reduction reduction, const Options& options, Team& team);

}  // namespace zermelo::dd

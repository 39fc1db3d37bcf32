// Successors and predecessors of a set of states.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "dd/relation.h"

namespace zermelo::dd {

struct ImageQuery {
  Diagram states;
  Relation relation;
  // By constant of `states`: whether it marks a member. False for 0. Empty: all constants but 0.
  std::vector<bool> members = {};
  // The constant of each state in the result; states with 0 are left out. By default 1.
  std::optional<Diagram> classes = std::nullopt;
};

// Returns the successors of the set: assignments y with (x, y) in the relation for some x of the
// set.
base::Result<Diagram> image(const ImageQuery& query, const Options& options = {});
// Returns the predecessors of the set: assignments x with (x, y) in the relation for some y of the
// set.
base::Result<Diagram> preimage(const ImageQuery& query, const Options& options = {});

}  // namespace zermelo::dd

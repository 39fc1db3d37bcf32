// Which states follow a set of states, or precede it.
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
  // By constant of `states`, whether it marks a state of the set. Not 0. Empty: all but 0.
  std::vector<bool> members = {};
  // What the result says of a state that was found; where this is 0, the state is left out.
  // Nothing: 1.
  std::optional<Diagram> classes = std::nullopt;
};

// The successors of the set: assignments y with (x, y) in the relation for some x of the set.
base::Result<Diagram> image(const ImageQuery& query, const Options& options = {});
// The predecessors of the set: assignments x with (x, y) in the relation for some y of the set.
base::Result<Diagram> preimage(const ImageQuery& query, const Options& options = {});

}  // namespace zermelo::dd

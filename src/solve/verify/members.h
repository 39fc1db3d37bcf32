// The members of a set by their index in lexicographic order.
#pragma once

#include <cstdint>
#include <vector>

#include "dd/count.h"
#include "dd/diagram.h"

namespace zermelo::solve {

// The member with the given index, which must be less than the size of the set.
template <class Number>
std::vector<dd::Value> member(const dd::Diagram& set, const dd::MemberCountsIn<Number>& counts,
                              Number place) {
  std::vector<dd::Value> assignment;
  dd::NodeId id = set.root();
  for (std::size_t l = 0; l < set.variables(); ++l) {
    dd::Value value = 0;
    for (;; ++value) {
      const Number below = counts.below(l + 1, set.child(l, id, value));
      if (place < below) break;
      place -= below;
    }
    assignment.push_back(value);
    id = set.child(l, id, value);
  }
  return assignment;
}

// The index of a member.
inline std::uint64_t place_of(const std::vector<dd::Value>& assignment, const dd::Diagram& set,
                              const dd::MemberCounts& counts) {
  std::uint64_t place = 0;
  dd::NodeId id = set.root();
  for (std::size_t l = 0; l < set.variables(); ++l) {
    for (dd::Value value = 0; value < assignment[l]; ++value) {
      place += counts.below(l + 1, set.child(l, id, value));
    }
    id = set.child(l, id, assignment[l]);
  }
  return place;
}

}  // namespace zermelo::solve

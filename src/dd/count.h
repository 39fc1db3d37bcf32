// How many members of a set lie below each node, in machine words.
#pragma once

#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "dd/diagram.h"

namespace zermelo::dd {

class MemberCounts {
 public:
  // Assignments of the variables from level l on that lead from a node at or below l to a member.
  std::uint64_t below(std::size_t l, NodeId id) const;

 private:
  friend std::optional<MemberCounts> count_members(const Diagram& diagram);
  explicit MemberCounts(const Diagram& diagram) : diagram_(diagram) {}

  Diagram diagram_;
  std::vector<std::array<std::uint64_t, 1>> numbers_;  // by node, from its own level on
};

// Nothing if the set, the assignments whose constant is not 0, has 2^64 members or more.
std::optional<MemberCounts> count_members(const Diagram& diagram);

mpz_class to_mpz(std::uint64_t number);

}  // namespace zermelo::dd

// The number of members of a set below each node.
#pragma once

#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"

namespace zermelo::dd {

template <class Number>
class MemberCountsIn {
 public:
  using Numbers = std::vector<std::array<Number, 1>>;  // by node, from its own level on

  MemberCountsIn(const Diagram& diagram, Numbers numbers)
      : diagram_(diagram), numbers_(std::move(numbers)) {}

  // Returns the number of assignments of the variables from level l on that lead from a node at or
  // below l to a member.
  Number below(std::size_t l, NodeId id) const;

 private:
  Diagram diagram_;
  Numbers numbers_;
};

using MemberCounts = MemberCountsIn<std::uint64_t>;
using LongMemberCounts = MemberCountsIn<mpz_class>;

// Returns nullopt if the set, the assignments whose constant is not 0, has 2^64 members or more.
base::Result<std::optional<MemberCounts>> count_members(const Diagram& diagram,
                                                        const Options& options = {});
// Like count_members for sets of any size, with several times the memory.
base::Result<LongMemberCounts> count_many_members(const Diagram& diagram,
                                                  const Options& options = {});

mpz_class to_mpz(std::uint64_t number);

}  // namespace zermelo::dd

// How many members of a set lie below each node, in machine words.
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

class MemberCounts {
 public:
  // Assignments of the variables from level l on that lead from a node at or below l to a member.
  std::uint64_t below(std::size_t l, NodeId id) const;

 private:
  using Numbers = std::vector<std::array<std::uint64_t, 1>>;  // by node, from its own level on

  friend base::Result<std::optional<MemberCounts>> count_members(const Diagram& diagram,
                                                                 const Options& options);
  MemberCounts(const Diagram& diagram, Numbers numbers)
      : diagram_(diagram), numbers_(std::move(numbers)) {}

  Diagram diagram_;
  Numbers numbers_;
};

// Nothing if the set, the assignments whose constant is not 0, has 2^64 members or more.
base::Result<std::optional<MemberCounts>> count_members(const Diagram& diagram,
                                                        const Options& options = {});

mpz_class to_mpz(std::uint64_t number);

}  // namespace zermelo::dd

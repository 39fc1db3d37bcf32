// The order of outcomes as docs/explanation/values.md defines it. Only the checker uses it; the
// solvers have their own implementation.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "solve/folder/solution_folder.h"

namespace zermelo::solve {

class Preference {
 public:
  // `decides` is by role. The description must outlive this.
  Preference(const Description& description, const std::vector<bool>& decides);

  // Whether the role prefers `a` to `b`; empty rewards are endless play.
  bool better(std::size_t role, const Rewards& a, const Rewards& b) const;
  // Whether one role decides, or two opposed ones, so that values on cycles are defined.
  bool settles_cycles() const { return settles_cycles_; }

 private:
  bool better_than_endless(std::size_t role, const Rewards& rewards) const;
  bool opposed(std::size_t first, std::size_t second) const;
  std::pair<int, int> wishes(std::size_t role, const Rewards& rewards) const;

  const Description& description_;
  std::optional<std::pair<std::size_t, std::size_t>> rivals_;  // for whom endless play is even
  bool settles_cycles_ = false;
};

}  // namespace zermelo::solve

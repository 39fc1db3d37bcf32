// Groups of fluents of which at most one, or exactly one, provably holds in every reachable state.
// A group is one multi-valued variable: the content of a cell, the player to move, the step.
//
//   const MutexGroups found = find_mutex_groups(machine);
//   for (const MutexGroup& group : found.groups) ...
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "machine/machine.h"

namespace zermelo::analysis {

struct MutexGroup {
  std::vector<ground::Atom> fluents;  // ascending
  bool exactly_one = false;           // otherwise at most one
};

struct MutexGroups {
  std::vector<MutexGroup> groups;  // disjoint, sorted by their first fluent
  bool finished = false;  // false: stopped at a limit; the groups are proved, others may be missing
  std::string summary;    // one sentence: what was tried and the result

  std::size_t candidates = 0;
};

struct MutexOptions {
  std::chrono::duration<double> seconds{5};  // for the whole search
  base::Limits limits = {};
  // Require that the groups also hold if play continues after a terminal state.
  bool past_terminal = false;
  std::uint64_t seed = 1;
};

// Returns soon after a limit is reached, with the groups proved so far.
MutexGroups find_mutex_groups(std::shared_ptr<const machine::Machine> machine,
                              const MutexOptions& options = {});

// Finds groups quickly from the rules alone: fewer, none of them exactly one, and always the same
// for a game. For callers that must start quickly and must not depend on the load of the machine.
// At a limit, returns the groups proved so far.
std::vector<MutexGroup> find_mutex_groups_by_rules(const ground::Game& game,
                                                   const base::Limits& limits = {});

}  // namespace zermelo::analysis

// Groups of fluents of which at most one, or exactly one, holds in every reachable state: proved.
// A group is one variable of several values: the content of a cell, the player to move, the step.
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
  std::vector<MutexGroup> groups;  // no fluent in two of them; by their first fluent
  bool finished = false;  // false: at a limit; the groups are proved, others may be missing
  std::string summary;    // one sentence: what was tried and what came of it

  std::size_t candidates = 0;
};

struct MutexOptions {
  std::chrono::duration<double> seconds{5};  // for all of it
  base::Limits limits = {};
  // The groups must hold in games that are played on after a terminal state as well.
  bool past_terminal = false;
  std::uint64_t seed = 1;
};

// Ends soon after the time or a limit is over, with the groups that are proved until then.
MutexGroups find_mutex_groups(std::shared_ptr<const machine::Machine> machine,
                              const MutexOptions& options = {});

// Those found in a short time from the rules alone: fewer, none known to be exactly one, and always
// the same for a game. For what must start quickly and not depend on how busy the machine is. At a
// limit, those that are proved until then.
std::vector<MutexGroup> find_mutex_groups_by_rules(const ground::Game& game,
                                                   const base::Limits& limits = {});

}  // namespace zermelo::analysis

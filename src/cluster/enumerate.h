// Counting the reachable states of a game on several ranks: solve::enumerate, with the states
// partitioned by their hash.
//
//   const auto found = enumerate(channel, machine, {.groups = groups}, {.folder = "count"});
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "cluster/channel.h"
#include "solve/explicit/enumerate.h"

namespace zermelo::cluster {

// What one rank did.
struct RankReport {
  std::uint64_t states = 0;  // that it holds
  std::uint64_t peak_bytes = 0;
  Traffic traffic;
};

struct RankedEnumeration {
  solve::Enumeration found;
  std::vector<RankReport> ranks;  // by rank; only on rank 0
};

// Called by all ranks with the same game and options; `groups` of rank 0 are used. Every rank uses
// one thread, and `max_states` is ignored. All ranks return the same numbers, those of
// solve::enumerate; `on_layer` is called on all.
//
// With a folder, the states are written there layer by layer, and a count that was interrupted
// resumes from the last complete layer, also with another number of ranks if all ranks can read the
// folder. Fails with not_applicable for a folder of another game or with other options, or that
// holds other files; with unreadable_input if a file is damaged; and with unwritable_output.
// Requires duplicate detection if there is a folder.
base::Result<RankedEnumeration> enumerate(Channel& channel,
                                          std::shared_ptr<const machine::Machine> machine,
                                          solve::EnumerateOptions options,
                                          const std::filesystem::path& folder = {});

// Gathers the reports of all ranks on rank 0.
std::vector<RankReport> gather_reports(Channel& channel, std::uint64_t states);

}  // namespace zermelo::cluster

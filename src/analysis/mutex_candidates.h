// Groups of fluents of which at most one seems to hold at a time, guessed from sampled states. A
// guess only: analysis/induction.h proves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/machine.h"

namespace zermelo::analysis {

struct MutexCandidate {
  std::vector<ground::Atom> fluents;  // ascending
  bool exactly_one = false;           // in every sampled state; otherwise at most one
  std::uint32_t pattern = 0;          // candidates made by the same idea have the same number
};

struct MutexCandidates {
  std::vector<MutexCandidate> groups;  // no two with the same fluents
  std::uint32_t patterns = 0;
};

struct SampleOptions {
  std::size_t max_states = 2'048;
  std::uint64_t max_literals = 400'000'000;  // looked at while sampling, which bounds its time
  bool past_terminal = false;                // games are played on after their end
  std::uint64_t seed = 1;
};

MutexCandidates propose_mutex_groups(std::shared_ptr<const machine::Machine> machine,
                                     const SampleOptions& options = {});
// From the initial state alone.
MutexCandidates propose_mutex_groups(const ground::Game& game);

}  // namespace zermelo::analysis

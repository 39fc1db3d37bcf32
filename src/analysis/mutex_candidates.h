// Groups of fluents of which at most one holds at a time in sampled states. These are guesses;
// analysis/mutex_proof_by_induction.h proves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/mutex_samples.h"
#include "analysis/proof_limits.h"
#include "ground/game.h"

namespace zermelo::analysis {

struct MutexCandidate {
  std::vector<ground::Atom> fluents;  // ascending
  bool exactly_one = false;           // in every sampled state; otherwise at most one
  std::uint32_t pattern = 0;          // candidates of the same pattern have the same number
};

struct MutexCandidates {
  std::vector<MutexCandidate> groups;  // no two with the same fluents
  std::uint32_t patterns = 0;
  std::optional<base::ErrorKind> stopped;  // the limit that was reached; some may be missing
};

MutexCandidates propose_mutex_groups(const ground::Game& game, const MutexSamples& samples,
                                     ProofLimits limits = {});

}  // namespace zermelo::analysis

// Chooses mutex groups without common fluents.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/mutex_candidates.h"
#include "analysis/mutex_groups.h"

namespace zermelo::analysis {

class MutexCover {
 public:
  explicit MutexCover(std::size_t fluents) : taken_(fluents, false) {}

  // Takes groups from the candidates as long as they save bits, and returns the candidates taken.
  // The candidates must outlive this object, and those of a pattern must be consecutive.
  std::vector<const MutexCandidate*> take_from(
      const std::vector<const MutexCandidate*>& candidates);

  bool saves_bits(const MutexCandidate& candidate) const { return bits_saved(candidate) > 0; }

  // Returns all groups taken, sorted by their first fluent.
  std::vector<MutexGroup> groups();

 private:
  using Pattern = std::vector<const MutexCandidate*>;

  bool take_best_pattern();
  double bits_saved(const Pattern& pattern) const;
  double bits_saved(const MutexCandidate& candidate) const;
  void take(const MutexCandidate& candidate);

  std::vector<Pattern> patterns_;
  std::vector<bool> taken_;  // by fluent
  std::vector<MutexGroup> groups_;
  std::vector<const MutexCandidate*> chosen_;
};

}  // namespace zermelo::analysis

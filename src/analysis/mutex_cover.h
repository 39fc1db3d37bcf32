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

  // Takes groups from candidates, which must outlive this, as long as bits are saved; those of a
  // pattern must follow each other. Returns the candidates taken.
  std::vector<const MutexCandidate*> take_from(
      const std::vector<const MutexCandidate*>& candidates);

  bool saves_bits(const MutexCandidate& candidate) const { return bits_saved(candidate) > 0; }

  // All groups taken, by their first fluent.
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

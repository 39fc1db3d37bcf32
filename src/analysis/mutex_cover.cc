// The cover is chosen greedily by whole patterns, the one first that saves the most bits of a
// state. In chess, cell(X, Y, *) wins over the cells of a king, since it covers the board. Fluents
// taken by an earlier pattern are removed from later groups; at most one of the remaining fluents
// still holds.

#include "analysis/mutex_cover.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zermelo::analysis {

using ground::Atom;

std::vector<const MutexCandidate*> MutexCover::take_from(
    const std::vector<const MutexCandidate*>& candidates) {
  patterns_.clear();
  for (const MutexCandidate* candidate : candidates) {
    if (patterns_.empty() || patterns_.back().front()->pattern != candidate->pattern) {
      patterns_.emplace_back();
    }
    patterns_.back().push_back(candidate);
  }
  chosen_.clear();
  while (take_best_pattern()) {
  }
  return chosen_;
}

std::vector<MutexGroup> MutexCover::groups() {
  std::sort(groups_.begin(), groups_.end(), [](const MutexGroup& a, const MutexGroup& b) {
    return a.fluents.front() < b.fluents.front();
  });
  return std::move(groups_);
}

bool MutexCover::take_best_pattern() {
  double most = 0;
  const Pattern* best = nullptr;
  for (const Pattern& pattern : patterns_) {
    const double saved = bits_saved(pattern);
    if (saved <= most) continue;
    most = saved;
    best = &pattern;
  }
  if (best == nullptr) return false;
  for (const MutexCandidate* candidate : *best) take(*candidate);
  return true;
}

double MutexCover::bits_saved(const Pattern& pattern) const {
  double bits = 0;
  for (const MutexCandidate* candidate : pattern) bits += bits_saved(*candidate);
  return bits;
}

double MutexCover::bits_saved(const MutexCandidate& candidate) const {
  const auto left =
      static_cast<double>(std::count_if(candidate.fluents.begin(), candidate.fluents.end(),
                                        [&](Atom fluent) { return !taken_[fluent]; }));
  const bool exactly_one =
      candidate.exactly_one && left == static_cast<double>(candidate.fluents.size());
  const double values = exactly_one ? left : left + 1;
  return values == 0 ? 0 : left - std::log2(values);
}

void MutexCover::take(const MutexCandidate& candidate) {
  if (bits_saved(candidate) <= 0) return;
  MutexGroup group;
  for (const Atom fluent : candidate.fluents) {
    if (!taken_[fluent]) group.fluents.push_back(fluent);
    taken_[fluent] = true;
  }
  group.exactly_one = candidate.exactly_one && group.fluents.size() == candidate.fluents.size();
  groups_.push_back(std::move(group));
  chosen_.push_back(&candidate);
}

}  // namespace zermelo::analysis

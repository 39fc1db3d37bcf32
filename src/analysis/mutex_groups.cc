// Candidates are guessed from samples (mutex_candidates.cc) and proved together by induction
// (induction.cc): "at most one" and "at least one" of a group are separate claims, so a group can
// keep one when the other fails, and candidates that overlap support each other's proofs. Then a
// cover is chosen, in which no fluent has two groups: whole patterns, greedily, the one first that
// saves the most bits of a state. In chess cell(X, Y, *) wins over the places of a king, since it
// covers the board. Fluents that an earlier pattern took are missing from later groups; what is
// left of such a group is still at most one.

#include "analysis/mutex_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/induction.h"
#include "analysis/mutex_candidates.h"

namespace zermelo::analysis {

namespace {

using ground::Atom;

struct Claims {
  static constexpr std::size_t none = ~std::size_t{0};
  std::vector<Claim> claims;
  std::vector<std::size_t> at_most, at_least;  // by candidate: the claim
};

Claims claims_of(const std::vector<MutexCandidate>& candidates) {
  Claims result;
  const auto claim = [&](Claim::Kind kind, const MutexCandidate& candidate) {
    result.claims.push_back({kind, candidate.fluents});
    return result.claims.size() - 1;
  };
  for (const MutexCandidate& candidate : candidates) {
    result.at_most.push_back(
        candidate.fluents.size() > 1 ? claim(Claim::Kind::at_most_one, candidate) : Claims::none);
    result.at_least.push_back(candidate.exactly_one ? claim(Claim::Kind::at_least_one, candidate)
                                                    : Claims::none);
  }
  return result;
}

// The proved candidates. A single fluent is a group only if it always holds.
std::vector<MutexCandidate> proved_candidates(std::vector<MutexCandidate> candidates,
                                              const Claims& claims,
                                              const std::vector<bool>& proved) {
  std::vector<MutexCandidate> result;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool at_most = claims.at_most[i] == Claims::none || proved[claims.at_most[i]];
    const bool at_least = claims.at_least[i] != Claims::none && proved[claims.at_least[i]];
    if (!at_most || (candidates[i].fluents.size() == 1 && !at_least)) continue;
    candidates[i].exactly_one = at_least;
    result.push_back(std::move(candidates[i]));
  }
  return result;
}

// Chooses groups without common fluents.
class Cover {
 public:
  Cover(const std::vector<MutexCandidate>& candidates, std::size_t fluents)
      : taken_(fluents, false) {
    for (const MutexCandidate& candidate : candidates) {
      if (patterns_.empty() || patterns_.back().front()->pattern != candidate.pattern) {
        patterns_.emplace_back();
      }
      patterns_.back().push_back(&candidate);
    }
  }

  std::vector<MutexGroup> choose() {
    while (take_best_pattern()) {
    }
    std::sort(groups_.begin(), groups_.end(), [](const MutexGroup& a, const MutexGroup& b) {
      return a.fluents.front() < b.fluents.front();
    });
    return std::move(groups_);
  }

 private:
  using Pattern = std::vector<const MutexCandidate*>;

  bool take_best_pattern() {
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

  double bits_saved(const Pattern& pattern) const {
    double bits = 0;
    for (const MutexCandidate* candidate : pattern) bits += bits_saved(*candidate);
    return bits;
  }

  double bits_saved(const MutexCandidate& candidate) const {
    const auto left =
        static_cast<double>(std::count_if(candidate.fluents.begin(), candidate.fluents.end(),
                                          [&](Atom fluent) { return !taken_[fluent]; }));
    const bool exactly_one =
        candidate.exactly_one && left == static_cast<double>(candidate.fluents.size());
    const double values = exactly_one ? left : left + 1;
    return values == 0 ? 0 : left - std::log2(values);
  }

  void take(const MutexCandidate& candidate) {
    if (bits_saved(candidate) <= 0) return;
    MutexGroup group;
    for (const Atom fluent : candidate.fluents) {
      if (!taken_[fluent]) group.fluents.push_back(fluent);
      taken_[fluent] = true;
    }
    group.exactly_one = candidate.exactly_one && group.fluents.size() == candidate.fluents.size();
    groups_.push_back(std::move(group));
  }

  std::vector<Pattern> patterns_;
  std::vector<bool> taken_;  // by fluent
  std::vector<MutexGroup> groups_;
};

std::string summary_of(const MutexGroups& found) {
  const auto exact = std::count_if(found.groups.begin(), found.groups.end(),
                                   [](const MutexGroup& group) { return group.exactly_one; });
  return fmt::format("{} groups, {} of them exactly one, proved by induction from {} candidates{}",
                     found.groups.size(), exact, found.candidates,
                     found.finished ? "" : "; out of time, there may be more");
}

}  // namespace

MutexGroups find_mutex_groups(std::shared_ptr<const machine::Machine> machine,
                              const MutexOptions& options) {
  const SampleOptions sampling{.past_terminal = options.past_terminal, .seed = options.seed};
  MutexCandidates candidates = propose_mutex_groups(machine, sampling);
  const Claims claims = claims_of(candidates.groups);
  const Induction induction = prove_by_induction(
      machine, claims.claims, {.past_terminal = options.past_terminal, .seconds = options.seconds});
  MutexGroups found;
  found.candidates = candidates.groups.size();
  found.sampled_states = candidates.sampled_states;
  found.queries = induction.queries;
  found.finished = induction.finished;
  const auto proved = proved_candidates(std::move(candidates.groups), claims, induction.proved);
  found.groups = Cover(proved, machine->game().fluents.size()).choose();
  found.summary = summary_of(found);
  return found;
}

MutexGroups find_mutex_groups(const ground::Game& game, const MutexOptions& options) {
  return find_mutex_groups(std::make_shared<const machine::Machine>(game), options);
}

std::vector<std::uint32_t> group_of_fluents(const MutexGroups& groups, std::size_t fluents) {
  std::vector<std::uint32_t> result(fluents, no_group);
  for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
    for (const Atom fluent : groups.groups[g].fluents) result[fluent] = g;
  }
  return result;
}

}  // namespace zermelo::analysis

// Candidates are guessed from samples (mutex_candidates.cc) and proved by induction
// (mutex_proof_by_induction.cc). "At most one" and "at least one" of a group are separate claims,
// so a group can keep one if the other fails.
//
// In the result no fluent is in two groups (mutex_cover.cc).
//
// Most candidates are useless for the cover, and many hold in the samples by chance. So the proof
// proceeds in rounds. The candidates that the cover would take are proved together. Then those that
// it would take in place of the failed ones are proved, assuming what is proved. Finally, if the
// cover can still gain, all the others are tried together, since claims that fail alone may be
// inductive with others.

#include "analysis/mutex_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/mutex_candidates.h"
#include "analysis/mutex_cover.h"
#include "analysis/mutex_proof_by_induction.h"
#include "analysis/mutex_proof_by_rules.h"
#include "analysis/mutex_samples.h"
#include "analysis/proof_limits.h"
#include "analysis/step_formula.h"
#include "base/quantities.h"

namespace zermelo::analysis {

namespace {

// What the groups mean, of which some always have a fluent that holds.
std::string how_many_hold(std::size_t groups, std::size_t exact) {
  if (groups == 0) return "no fluents are known to exclude each other";
  if (exact == groups) return "of each group exactly one fluent holds";
  const std::string at_most = "of each group at most one fluent holds";
  return exact == 0 ? at_most
                    : fmt::format("{}, of {} exactly one", at_most, base::counted(exact, "group"));
}

using ground::Atom;

// What is proved of a candidate.
struct Proof {
  bool at_most_one = false;
  bool at_least_one = false;
};

bool is_group(const MutexCandidate& candidate, const Proof& proof) {
  return candidate.fluents.size() == 1 ? proof.at_least_one : proof.at_most_one;
}

// Proves candidates in rounds and stores the results.
class Rounds {
 public:
  Rounds(std::shared_ptr<const machine::Machine> machine, MutexCandidates candidates,
         bool past_terminal, const ProofLimits& limits)
      : machine_(std::move(machine)),
        rules_(machine_->game(), limits),
        past_terminal_(past_terminal),
        limits_(limits),
        candidates_(std::move(candidates.groups)),
        proofs_(candidates_.size()),
        tried_(candidates_.size(), false),
        stopped_(candidates.stopped) {}

  MutexGroups run() {
    for (auto batch = most_wanted(); !stopped_ && !batch.empty(); batch = most_wanted()) {
      prove(batch);
    }
    const auto rest = all_unproved();
    if (!stopped_ && !rest.empty()) prove(rest);
    MutexGroups found;
    MutexCover cover = cover_of_proved();
    found.groups = cover.groups();
    found.candidates = candidates_.size();
    found.finished = !stopped_;
    found.summary = summary_of(found);
    return found;
  }

 private:
  using Batch = std::vector<const MutexCandidate*>;

  std::size_t index(const MutexCandidate* candidate) const {
    return static_cast<std::size_t>(candidate - candidates_.data());
  }

  // Returns the cover by what is proved of each candidate, not by what is guessed.
  MutexCover cover_of_proved() {
    Batch proved;
    proved_candidates_ = candidates_;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      proved_candidates_[i].exactly_one = proofs_[i].at_least_one;
      if (is_group(candidates_[i], proofs_[i])) proved.push_back(&proved_candidates_[i]);
    }
    MutexCover cover(machine_->game().fluents.size());
    cover.take_from(proved);
    return cover;
  }

  // Returns the untried candidates that a cover would take next if all of them were proved.
  Batch most_wanted() {
    Batch untried;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!tried_[i]) untried.push_back(&candidates_[i]);
    }
    return cover_of_proved().take_from(untried);
  }

  // Returns everything unproved, if the cover could gain from it: claims that failed before may
  // hold together with the others.
  Batch all_unproved() {
    Batch batch;
    bool useful = false;
    const MutexCover cover = cover_of_proved();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const MutexCandidate& candidate = candidates_[i];
      const bool may_be_exact = candidate.exactly_one && !proofs_[i].at_least_one;
      if (is_group(candidate, proofs_[i]) && !may_be_exact) continue;
      batch.push_back(&candidate);
      useful |= cover.saves_bits(candidate) || (may_be_exact && proofs_[i].at_most_one);
    }
    return useful ? batch : Batch{};
  }

  // Small groups come first: the proofs of the others often depend on the player to move.
  void prove(Batch batch) {
    std::stable_sort(batch.begin(), batch.end(), [](const auto* a, const auto* b) {
      return a->fluents.size() < b->fluents.size();
    });
    claims_ = known_;
    for (const MutexCandidate* candidate : batch) add_claims(*candidate);
    const Induction induction = prove_by_induction(
        machine_, rules_, claims_,
        {.known = known_.size(), .past_terminal = past_terminal_, .limits = limits_});
    stopped_ = induction.stopped;
    std::size_t claim = known_.size();
    for (const MutexCandidate* candidate : batch) {
      const std::size_t i = index(candidate);
      tried_[i] = true;
      if (claims_at_most(*candidate)) note(proofs_[i].at_most_one, induction, claim++);
      if (candidate->exactly_one) note(proofs_[i].at_least_one, induction, claim++);
    }
  }

  static bool claims_at_most(const MutexCandidate& candidate) {
    return candidate.fluents.size() > 1;
  }

  void add_claims(const MutexCandidate& candidate) {
    if (claims_at_most(candidate)) {
      claims_.push_back({Claim::Kind::at_most_one, candidate.fluents});
    }
    if (candidate.exactly_one) claims_.push_back({Claim::Kind::at_least_one, candidate.fluents});
  }

  void note(bool& proved, const Induction& induction, std::size_t claim) {
    if (!induction.proved[claim] || proved) return;
    proved = true;
    known_.push_back(claims_[claim]);
  }

  std::string summary_of(const MutexGroups& found) const {
    const auto exact = std::count_if(found.groups.begin(), found.groups.end(),
                                     [](const MutexGroup& group) { return group.exactly_one; });
    return fmt::format("{}; {}; proved by induction from {}{}",
                       base::counted(found.groups.size(), "group"),
                       how_many_hold(found.groups.size(), static_cast<std::size_t>(exact)),
                       base::counted(found.candidates, "candidate"), what_is_missing());
  }

  std::string_view what_is_missing() const {
    if (!stopped_) return "";
    return *stopped_ == base::ErrorKind::memory_limit ? "; memory limit reached, there may be more"
                                                      : "; time limit reached, there may be more";
  }

  std::shared_ptr<const machine::Machine> machine_;
  const StepRules rules_;
  const bool past_terminal_;
  const ProofLimits limits_;
  std::vector<MutexCandidate> candidates_;
  std::vector<MutexCandidate> proved_candidates_;
  std::vector<Proof> proofs_;  // by candidate
  std::vector<bool> tried_;    // by candidate
  std::vector<Claim> known_;   // proved so far
  std::vector<Claim> claims_;  // of the round: the known claims, then those of its candidates
  std::optional<base::ErrorKind> stopped_;  // the limit that was reached
};

// Share of the time for sampling. With fewer samples, more candidates fail in the proof; but
// without time left, nothing is proved.
constexpr double sampling_share = 0.5;

}  // namespace

MutexGroups find_mutex_groups(std::shared_ptr<const machine::Machine> machine,
                              const MutexOptions& options) {
  const ProofLimits limits(options.seconds, options.limits);
  const MutexSamples samples(machine,
                             {.past_terminal = options.past_terminal, .seed = options.seed},
                             ProofLimits(options.seconds * sampling_share, options.limits));
  MutexCandidates candidates = propose_mutex_groups(machine->game(), samples, limits);
  return Rounds(std::move(machine), std::move(candidates), options.past_terminal, limits).run();
}

namespace {

// Like Rounds, but proves the groups from the rules alone.
class RuleRounds {
 public:
  RuleRounds(const ground::Game& game, const ProofLimits& limits)
      : limits_(limits),
        rules_(game, limits),
        expanded_(rules_, limits),
        candidates_(propose_mutex_groups(game, MutexSamples(game), limits).groups) {
    std::erase_if(candidates_, [](const MutexCandidate& c) { return c.fluents.size() < 2; });
    for (MutexCandidate& candidate : candidates_) {
      candidate.exactly_one = false;
      untried_.push_back(&candidate);
    }
  }

  std::vector<MutexGroup> run() {
    for (auto batch = most_wanted(); !batch.empty() && !limits_.exceeded(); batch = most_wanted()) {
      prove(batch);
    }
    return cover().groups();
  }

 private:
  using Batch = std::vector<const MutexCandidate*>;

  MutexCover cover() const {
    MutexCover cover(rules_.game.fluents.size());
    cover.take_from(proved_);
    return cover;
  }

  Batch most_wanted() const { return cover().take_from(untried_); }

  void prove(const Batch& batch) {
    const std::size_t known = groups_.size();
    std::vector<std::vector<Atom>> groups = groups_;
    for (const MutexCandidate* candidate : batch) groups.push_back(candidate->fluents);
    const std::vector<bool> proved = prove_by_rules(expanded_, groups, known, limits_);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      std::erase(untried_, batch[i]);
      if (!proved[known + i]) continue;
      groups_.push_back(batch[i]->fluents);
      proved_.push_back(batch[i]);
    }
    std::sort(proved_.begin(), proved_.end());
  }

  ProofLimits limits_;
  const StepRules rules_;
  ExpandedRules expanded_;
  std::vector<MutexCandidate> candidates_;
  Batch untried_, proved_;                 // by index of the candidate
  std::vector<std::vector<Atom>> groups_;  // proved so far
};

}  // namespace

std::vector<MutexGroup> find_mutex_groups_by_rules(const ground::Game& game,
                                                   const base::Limits& limits) {
  return RuleRounds(game, ProofLimits(limits)).run();
}

}  // namespace zermelo::analysis

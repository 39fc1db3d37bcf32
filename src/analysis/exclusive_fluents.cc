#include "analysis/exclusive_fluents.h"

#include "analysis/mutex_groups.h"
#include "analysis/mutex_proof_by_induction.h"
#include "analysis/step_formula.h"

namespace zermelo::analysis {

// Groups that the rules show at once are assumed in the induction.
std::vector<bool> prove_exclusive(const std::shared_ptr<const machine::Machine>& machine,
                                  const std::vector<std::vector<ground::Atom>>& sets,
                                  std::chrono::duration<double> seconds,
                                  const base::Limits& limits) {
  const ProofLimits proof_limits(seconds, limits);
  std::vector<Claim> claims;
  for (const MutexGroup& group : find_mutex_groups_by_rules(machine->game(), limits)) {
    claims.push_back({Claim::Kind::at_most_one, group.fluents});
  }
  InductionOptions options;
  options.known = claims.size();
  options.limits = proof_limits;
  for (const std::vector<ground::Atom>& set : sets) {
    claims.push_back({Claim::Kind::at_most_one, set});
  }
  const StepRules rules(machine->game(), proof_limits);
  const Induction induction = prove_by_induction(machine, rules, claims, options);
  return {induction.proved.begin() + static_cast<std::ptrdiff_t>(options.known),
          induction.proved.end()};
}

}  // namespace zermelo::analysis

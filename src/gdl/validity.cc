#include "gdl/validity.h"

#include <algorithm>
#include <string>

#include "base/limited_steps.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

using Check = void (*)(const CheckInput&, Report&);

constexpr Check checks[] = {
    check_presence,
    check_places,
    check_negations,
    check_safety,
    check_dependencies,
    check_stratification,
    check_recursion,
    check_functions,
    check_goal_values,
    warn_about_goals,
    warn_about_undefined_names,
    warn_about_unused_predicates,
    warn_about_unknown_roles,
    warn_about_varying_arity,
    warn_about_spellings,
    warn_about_variables,
    warn_about_arithmetic,
};

bool declares_random(const Term& head) {
  return head.name == keyword::role && head.arguments.size() == 1 &&
         head.arguments[0].kind == Term::Kind::constant &&
         head.arguments[0].name == keyword::random;
}

}  // namespace

std::vector<Diagnostic> check_validity(const Rulesheet& rulesheet, const base::Limits& limits) {
  base::LimitedSteps steps(limits, "checking the rules");
  const DependencyGraph graph(rulesheet);
  const FunctionTable functions(rulesheet);
  Report report(rulesheet);
  for (const Check check : checks) {
    steps.check(0);
    check({rulesheet, graph, functions}, report);
  }
  return report.take();
}

bool uses_imperfect_information(const Rulesheet& rulesheet) {
  return std::any_of(rulesheet.clauses.begin(), rulesheet.clauses.end(), [](const Clause& clause) {
    if (clause.head.kind == Term::Kind::variable) return false;
    return clause.head.name == keyword::sees || declares_random(clause.head);
  });
}

base::Result<void> require_perfect_information(const Rulesheet& rulesheet, std::string_view user) {
  if (!uses_imperfect_information(rulesheet)) return {};
  return base::fail(base::ErrorKind::not_applicable,
                    std::string(user) +
                        " requires perfect information; the game has chance (the role random) or "
                        "hidden information (sees)");
}

}  // namespace zermelo::gdl

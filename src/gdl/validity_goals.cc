// Goal values are the integers from 0 to 100. A variable is checked if it is bound by a predicate
// that is defined by facts only: then its values are the column of that predicate. Warnings are for
// roles that certainly do not have exactly one goal value; what depends on the state is not checked
// here.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "gdl/body.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_goal_value(std::string_view name) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_digit)) return false;
  const std::size_t first = std::min(name.find_first_not_of('0'), name.size());
  const std::string_view digits = name.substr(first);
  return digits.size() < 3 || digits == "100";
}

class GoalValues {
 public:
  GoalValues(const CheckInput& input, Report& report) : input_(input), report_(report) {
    index_clauses();
  }

  void check(const Clause& clause) {
    if (clause.head.name != keyword::goal || clause.head.arguments.size() != 2) return;
    const Term& value = clause.head.arguments[1];
    if (value.kind == Term::Kind::variable) return check_variable(clause, value);
    if (is_value(value)) return;
    report_.error("goal-value", value.span, "not a goal value; use an integer from 0 to 100");
  }

 private:
  using Column = std::pair<PredicateId, std::size_t>;

  void index_clauses() {
    only_facts_.assign(input_.graph.size(), true);
    clauses_of_.resize(input_.graph.size());
    for (const Clause& clause : input_.rulesheet.clauses) {
      const PredicateId predicate = *input_.graph.find(clause.head);
      if (!clause.body.empty() || !is_ground(clause.head)) only_facts_[predicate] = false;
      clauses_of_[predicate].push_back(&clause);
    }
  }

  bool is_value(const Term& term) const {
    return term.kind == Term::Kind::constant &&
           is_goal_value(input_.rulesheet.symbols.name(term.name));
  }

  void check_variable(const Clause& clause, const Term& variable) {
    for (const Formula& condition : clause.body) {
      if (condition.kind != Formula::Kind::atom) continue;
      const auto& arguments = condition.atom.arguments;
      const auto place = std::find(arguments.begin(), arguments.end(), variable);
      if (place == arguments.end()) continue;
      check_column(condition.atom, static_cast<std::size_t>(place - arguments.begin()), variable);
    }
  }

  void check_column(const Term& atom, std::size_t position, const Term& variable) {
    const PredicateId predicate = *input_.graph.find(atom);
    if (!only_facts_[predicate] || clauses_of_[predicate].empty()) return;
    if (has_value(predicate, position)) return;
    report_.error("goal-value", variable.span,
                  fmt::format("{} in {} is never a goal value; use integers from 0 to 100",
                              report_.quoted(variable), report_.quoted(atom)));
  }

  bool has_value(PredicateId predicate, std::size_t position) {
    const auto [entry, is_new] = columns_.try_emplace(Column{predicate, position}, false);
    if (is_new) {
      const auto& facts = clauses_of_[predicate];
      entry->second = std::any_of(facts.begin(), facts.end(), [&](const Clause* fact) {
        return is_value(fact->head.arguments[position]);
      });
    }
    return entry->second;
  }

  const CheckInput& input_;
  Report& report_;
  std::vector<bool> only_facts_;
  std::vector<std::vector<const Clause*>> clauses_of_;
  std::map<Column, bool> columns_;
};

bool may_be_for(const Term& role, const Clause& clause) {
  const Term& head = clause.head;
  if (head.name != keyword::goal || head.arguments.size() != 2) return false;
  return head.arguments[0].kind == Term::Kind::variable || head.arguments[0] == role;
}

void warn_about_goals_of(const Term& role, const Rulesheet& rulesheet, Report& report) {
  const Term* always = nullptr;
  bool has_goal = false;
  for (const Clause& clause : rulesheet.clauses) {
    if (!may_be_for(role, clause)) continue;
    has_goal = true;
    if (!clause.body.empty()) continue;
    const Term& value = clause.head.arguments[1];
    if (always != nullptr && !(*always == value)) {
      report.warning("several-goals", value.span,
                     fmt::format("{} always has the goal values {} and {}, of which the largest "
                                 "counts; add conditions or remove one",
                                 report.quoted(role), report.name(*always), report.name(value)));
      return;
    }
    always = &value;
  }
  if (has_goal || role.name == keyword::random) return;
  report.warning("role-without-goal", role.span,
                 fmt::format("{} never has a goal value, which counts as 0; add clauses for 'goal'",
                             report.quoted(role)));
}

}  // namespace

void warn_about_goals(const CheckInput& input, Report& report) {
  for (const Clause& clause : input.rulesheet.clauses) {
    if (clause.head.name != keyword::role || clause.head.arguments.size() != 1) continue;
    warn_about_goals_of(clause.head.arguments[0], input.rulesheet, report);
  }
}

void check_goal_values(const CheckInput& input, Report& report) {
  GoalValues values(input, report);
  for (const Clause& clause : input.rulesheet.clauses) values.check(clause);
}

}  // namespace zermelo::gdl

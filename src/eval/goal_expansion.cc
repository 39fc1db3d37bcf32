// The expansion algorithm of Michulke, "Heuristic Interpretation of Predicate Logic Expressions in
// General Game Playing" (GIGA 2011), section 2. It takes a goal apart as long as the parts are
// independent: a conjunction into its conjuncts, a disjunction into its disjuncts, a negation into
// its child, and a predicate into the bodies of its clauses. What is left are expressions, in which
// features are looked for.
//
// A variable is existentially quantified. So conjuncts that share a variable belong together, and
// only a conjunction of groups that share none is split. A disjunction can always be split, because
// "for some x, A or B" is "for some x A, or for some x B". Recursive predicates are not taken
// apart, and neither are static ones, which the grounder evaluates.
//
// One addition: within a group, a predicate with a single matching clause is replaced by its body.
// The paper's patterns (order, distance between fluents) consist of fluents and static predicates;
// many rules name such a fluent by a predicate.
//
// The paper limits the depth of the tree to 8 and its size to 500. Here the size is limited, and
// the depth only so that the recursion ends.
#include "eval/goal_expansion.h"

#include <algorithm>
#include <numeric>

namespace zermelo::eval {
namespace {

using analysis::LiftedRules;
using gdl::Formula;
using gdl::Term;

constexpr int max_expansion_depth = 40;
constexpr int max_inlined = 20;  // predicates of one group

// Appends the conditions, with nested conjunctions taken apart.
void flatten(const std::vector<Formula>& formulas, std::vector<Formula>& out) {
  for (const Formula& formula : formulas) {
    if (formula.kind == Formula::Kind::conjunction) {
      flatten(formula.children, out);
    } else {
      out.push_back(formula);
    }
  }
}

// Conditions that share variables, directly or through others, in one group.
std::vector<std::vector<Formula>> groups_of(const std::vector<Formula>& conditions) {
  std::vector<std::size_t> group(conditions.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  std::map<gdl::Symbol, std::size_t> first_with;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    for (const gdl::Symbol variable : analysis::variables_of(conditions[i])) {
      const std::size_t other = group[first_with.try_emplace(variable, i).first->second];
      std::replace(group.begin(), group.end(), group[i], other);
    }
  }
  std::map<std::size_t, std::vector<Formula>> by_group;
  for (std::size_t i = 0; i < conditions.size(); ++i) by_group[group[i]].push_back(conditions[i]);
  std::vector<std::vector<Formula>> result;
  for (auto& [number, members] : by_group) result.push_back(std::move(members));
  return result;
}

bool is_predicate(const Formula& formula) {
  return formula.kind == Formula::Kind::atom && formula.atom.name != gdl::keyword::true_ &&
         formula.atom.name != gdl::keyword::does;
}

}  // namespace

GoalExpansion::GoalExpansion(LiftedRules& rules, const ground::Game& game, std::size_t max_parts)
    : rules_(rules), max_parts_(max_parts) {
  // Goal values are symbols of the rules; a clause with another head unifies with none of them.
  std::map<std::string, Term> numbers;
  for (std::size_t i = 0; i < rules.symbols().size(); ++i) {
    const auto symbol = static_cast<gdl::Symbol>(i);
    numbers[rules.symbols().name(symbol)] = {Term::Kind::constant, symbol, {}, {}};
  }
  for (std::size_t role = 0; role < game.roles.size(); ++role) {
    std::vector<Goal>& goals = goals_.emplace_back();
    const Term name{Term::Kind::constant, game.roles[role], {}, {}};
    for (const ground::Game::Goal& goal : game.goals[role]) {
      const auto number = numbers.find(std::to_string(goal.value));
      if (number == numbers.end()) continue;
      const Term head{Term::Kind::function, gdl::keyword::goal, {name, number->second}, {}};
      goals.push_back({goal.value, expand_goal(head)});
    }
  }
}

GoalExpansion::Node GoalExpansion::add(Part part) {
  parts_.push_back(std::move(part));
  return static_cast<Node>(parts_.size() - 1);
}

GoalExpansion::Node GoalExpansion::add_expression(std::vector<Formula> conditions) {
  std::string text = rules_.text(conditions);
  std::set<gdl::Symbol> variables = analysis::variables_of(conditions);
  expressions_.push_back({std::move(conditions), std::move(variables), text});
  return add({Kind::expression, static_cast<std::uint32_t>(expressions_.size() - 1), {}, text});
}

GoalExpansion::Node GoalExpansion::expand_goal(const Term& goal) {
  return expand_predicate({Formula::Kind::atom, goal, {}, {}}, 0);
}

GoalExpansion::Node GoalExpansion::expand(const Formula& formula, int depth) {
  switch (formula.kind) {
    case Formula::Kind::atom: {
      const bool is_whole = !is_predicate(formula) || rules_.is_static(formula.atom) ||
                            rules_.is_recursive(formula.atom) || depth >= max_expansion_depth ||
                            parts_.size() >= max_parts_;
      return is_whole ? add_expression({formula}) : expand_predicate(formula, depth);
    }
    case Formula::Kind::distinct:
      return add_expression({formula});
    case Formula::Kind::negation: {
      const Node child = expand(formula.children.front(), depth + 1);
      return add({Kind::negation, 0, {child}, rules_.text(formula)});
    }
    case Formula::Kind::conjunction:
      return expand_all(formula.children, rules_.text(formula), depth + 1);
    case Formula::Kind::disjunction:
      break;
  }
  Part any{Kind::any, 0, {}, rules_.text(formula)};
  for (const Formula& child : formula.children) any.children.push_back(expand(child, depth + 1));
  return add(std::move(any));
}

GoalExpansion::Node GoalExpansion::expand_predicate(const Formula& formula, int depth) {
  const std::string text = rules_.text(formula);
  Part any{Kind::any, 0, {}, text};
  for (LiftedRules::Unfolding& unfolding : rules_.unfold(formula.atom)) {
    any.children.push_back(expand_all(std::move(unfolding.body), text, depth + 1));
  }
  return any.children.size() == 1 ? any.children.front() : add(std::move(any));
}

GoalExpansion::Node GoalExpansion::expand_all(std::vector<Formula> conditions, std::string text,
                                              int depth) {
  std::vector<Formula> flat;
  flatten(conditions, flat);
  Part all{Kind::all, 0, {}, std::move(text)};
  for (std::vector<Formula>& group : groups_of(flat)) {
    all.children.push_back(group.size() == 1 ? expand(group.front(), depth)
                                             : expand_group(std::move(group), depth));
  }
  return all.children.size() == 1 ? all.children.front() : add(std::move(all));
}

GoalExpansion::Node GoalExpansion::expand_group(std::vector<Formula> conditions, int depth) {
  if (depth < max_expansion_depth && inline_single_clauses(conditions)) {
    const std::string text = rules_.text(conditions);
    return expand_all(std::move(conditions), text, depth + 1);
  }
  return add_expression(std::move(conditions));
}

// Returns whether anything was replaced.
bool GoalExpansion::inline_single_clauses(std::vector<Formula>& conditions) {
  int inlined = 0;
  for (std::size_t i = 0; i < conditions.size() && inlined < max_inlined;) {
    const Formula formula = conditions[i];
    const bool may_be = is_predicate(formula) && !rules_.is_static(formula.atom) &&
                        !rules_.is_recursive(formula.atom);
    std::vector<LiftedRules::Unfolding> unfoldings;
    if (may_be) unfoldings = rules_.unfold(formula.atom);
    if (unfoldings.size() != 1) {
      ++i;
      continue;
    }
    ++inlined;
    conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(i));
    conditions = analysis::substituted(conditions, unfoldings.front().bindings);
    flatten(unfoldings.front().body, conditions);
  }
  return inlined > 0;
}

}  // namespace zermelo::eval

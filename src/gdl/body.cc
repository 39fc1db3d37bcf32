#include "gdl/body.h"

#include <algorithm>
#include <iterator>

namespace zermelo::gdl {
namespace {

bool is_literal(const Formula& formula) {
  return formula.kind == Formula::Kind::atom || formula.kind == Formula::Kind::distinct;
}

// True if all parts must hold, by De Morgan's laws.
bool needs_all(const Formula& formula, bool positive) {
  return (formula.kind == Formula::Kind::conjunction) == positive;
}

bool polarity_inside(const Formula& formula, bool positive) {
  return formula.kind == Formula::Kind::negation ? !positive : positive;
}

void visit_literals_of(const Formula& formula, bool positive, const LiteralVisitor& visit) {
  if (is_literal(formula)) return visit(formula, positive);
  for (const Formula& child : formula.children) {
    visit_literals_of(child, polarity_inside(formula, positive), visit);
  }
}

void sort_unique(std::vector<Support::Key>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

}  // namespace

void visit_literals(const std::vector<Formula>& body, const LiteralVisitor& visit) {
  for (const Formula& formula : body) visit_literals_of(formula, true, visit);
}

void visit_subterms(const Term& term, const TermVisitor& visit) {
  visit(term);
  for (const Term& argument : term.arguments) visit_subterms(argument, visit);
}

bool is_ground(const Term& term) {
  return term.kind != Term::Kind::variable &&
         std::all_of(term.arguments.begin(), term.arguments.end(), is_ground);
}

void Support::enter_body(const std::vector<Formula>& body) {
  reset_table(inside_);
  reset_table(holding_);
  for (const Formula& formula : body) enter(provided(formula, true));
}

void Support::visit(const std::vector<Formula>& body, const Visitor& visit) {
  for (const Formula& formula : body) visit_inside(formula, true, visit);
}

Support::Keys Support::provided(const Formula& formula, bool positive) {
  if (is_literal(formula)) {
    const bool provides = formula.kind == Formula::Kind::atom && positive;
    return provides ? provided_by_atom(formula.atom) : Keys();
  }
  const bool by_any = formula.kind == Formula::Kind::negation || needs_all(formula, positive);
  const bool inside = polarity_inside(formula, positive);
  Keys keys = by_any ? provided_by_any(formula, inside) : provided_by_all(formula, inside);
  inside_[&formula] = keys;
  return keys;
}

Support::Keys Support::provided_by_atom(const Term& atom) const {
  Keys keys;
  provider_(atom, keys);
  sort_unique(keys);
  return keys;
}

Support::Keys Support::provided_by_any(const Formula& formula, bool positive) {
  Keys keys;
  for (const Formula& child : formula.children) {
    const Keys more = provided(child, positive);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  sort_unique(keys);
  return keys;
}

Support::Keys Support::provided_by_all(const Formula& formula, bool positive) {
  if (formula.children.empty()) return {};
  Keys keys = provided(formula.children.front(), positive);
  for (std::size_t i = 1; i < formula.children.size(); ++i) {
    const Keys other = provided(formula.children[i], positive);
    Keys common;
    std::set_intersection(keys.begin(), keys.end(), other.begin(), other.end(),
                          std::back_inserter(common));
    keys = std::move(common);
  }
  return keys;
}

void Support::visit_inside(const Formula& formula, bool positive, const Visitor& visit) {
  if (is_literal(formula)) return visit(formula, positive);
  const Keys& keys = inside_.at(&formula);
  enter(keys);
  for (const Formula& child : formula.children) {
    visit_inside(child, polarity_inside(formula, positive), visit);
  }
  leave(keys);
}

void Support::enter(const Keys& keys) {
  for (const Key key : keys) ++holding_[key];
}

void Support::leave(const Keys& keys) {
  for (const Key key : keys) {
    const auto found = holding_.find(key);
    if (--found->second == 0) holding_.erase(found);
  }
}

}  // namespace zermelo::gdl

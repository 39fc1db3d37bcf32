// Decides comparisons of terms statically.
//
// not distinct(s, t) is an equality: s and t are unified, and the substitution is applied to the
// rule. distinct(s, t) always holds if the terms do not unify, and is dropped. It never holds for
// identical terms, and the rule is removed. Duplicate conditions are dropped, and a rule that
// requires an atom and its negation is removed.
#include <algorithm>

#include "ground/passes.h"

namespace zermelo::ground {

namespace {

using LiteralKind = BodyLiteral::Kind;

// Unifies two terms: returns whether they have a common instance. If so, `substitution`, applied in
// order, makes them equal.
using Substitution = std::vector<std::pair<std::uint32_t, Term>>;

void apply_to(Term& term, const Substitution& substitution) {
  for (const auto& [variable, replacement] : substitution) substitute(term, variable, replacement);
}

bool unify(Term a, Term b, Substitution& substitution) {
  apply_to(a, substitution);
  apply_to(b, substitution);
  if (a == b) return true;
  if (a.kind != Term::Kind::variable) std::swap(a, b);
  if (a.kind == Term::Kind::variable) {
    if (contains_variable({b}, variable_of(a))) return false;
    substitution.emplace_back(variable_of(a), std::move(b));
    return true;
  }
  if (a.name != b.name || a.arguments.size() != b.arguments.size() || a.kind != b.kind)
    return false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    if (!unify(a.arguments[i], b.arguments[i], substitution)) return false;
  }
  return true;
}

// Applies the substitution of the first equality and removes the equality.
enum class Elimination { none, done, impossible };

Elimination eliminate_one_equality(Rule& rule) {
  const auto equality = std::find_if(rule.body.begin(), rule.body.end(), [](const BodyLiteral& l) {
    return l.kind == LiteralKind::equal;
  });
  if (equality == rule.body.end()) return Elimination::none;
  Substitution substitution;
  if (!unify(equality->arguments[0], equality->arguments[1], substitution))
    return Elimination::impossible;
  rule.body.erase(equality);
  for (const auto& [variable, replacement] : substitution) substitute(rule, variable, replacement);
  return Elimination::done;
}

bool unifiable(const Term& a, const Term& b) {
  Substitution substitution;
  return unify(a, b, substitution);
}

bool contradicts(const Rule& rule, const BodyLiteral& literal) {
  if (literal.kind == LiteralKind::distinct) return literal.arguments[0] == literal.arguments[1];
  if (literal.kind != LiteralKind::negative) return false;
  return std::any_of(rule.body.begin(), rule.body.end(), [&](const BodyLiteral& other) {
    return other.kind == LiteralKind::positive && other.predicate == literal.predicate &&
           other.arguments == literal.arguments;
  });
}

void drop_redundant(std::vector<BodyLiteral>& body) {
  std::vector<BodyLiteral> kept;
  for (BodyLiteral& literal : body) {
    if (literal.kind == LiteralKind::distinct &&
        !unifiable(literal.arguments[0], literal.arguments[1])) {
      continue;
    }
    if (std::find(kept.begin(), kept.end(), literal) == kept.end())
      kept.push_back(std::move(literal));
  }
  body = std::move(kept);
}

}  // namespace

bool simplify(Rule& rule) {
  Elimination step = Elimination::done;
  while (step == Elimination::done) step = eliminate_one_equality(rule);
  if (step == Elimination::impossible) return false;
  drop_redundant(rule.body);
  return std::none_of(rule.body.begin(), rule.body.end(),
                      [&](const BodyLiteral& literal) { return contradicts(rule, literal); });
}

base::Result<void> eliminate_equalities(Program& program, Instantiation&) {
  std::erase_if(program.rules, [](Rule& rule) { return !simplify(rule); });
  return {};
}

}  // namespace zermelo::ground

// Abstract interpretation of the ground rules in the domain of independent value sets (Cartesian
// abstraction). A body allows what all its literals allow: an intersection per variable. An atom
// allows what one of its rules allows: a union per variable, which loses combinations. The negation
// of an atom allows what the failure of every rule allows, and a body fails if one literal fails.
// Atoms of recursive components are unrestricted. Every step over-approximates, so each result
// includes all states in which the atom holds (or fails).

#include "analysis/requirements.h"

#include <algorithm>
#include <utility>

namespace zermelo::analysis {

using ground::Atom;
using ground::Literal;
using ground::RuleIndex;

namespace {

// Restrictions of more variables than this are dropped, which over-approximates.
constexpr std::size_t max_variables = 64;

Requirement impossible() { return {false, {}}; }

// Calls both(a, b) for variables of both, only_a(a) and only_b(b) for the others.
template <class Both, class OnlyA, class OnlyB>
void merge(const Requirement& a, const Requirement& b, Both both, OnlyA only_a, OnlyB only_b) {
  auto i = a.allowed.begin();
  auto j = b.allowed.begin();
  while (i != a.allowed.end() || j != b.allowed.end()) {
    if (j == b.allowed.end() || (i != a.allowed.end() && i->variable < j->variable)) {
      only_a(*i++);
    } else if (i == a.allowed.end() || j->variable < i->variable) {
      only_b(*j++);
    } else {
      both(*i++, *j++);
    }
  }
}

// Intersects with another requirement.
void narrow(Requirement& requirement, const Requirement& other) {
  if (!requirement.possible || !other.possible) {
    requirement = impossible();
    return;
  }
  Requirement result;
  const auto keep = [&](const Allowed& allowed) { result.allowed.push_back(allowed); };
  merge(
      requirement, other,
      [&](const Allowed& a, const Allowed& b) {
        keep({a.variable, a.values & b.values});
        result.possible &= (a.values & b.values) != 0;
      },
      keep, keep);
  if (result.allowed.size() > max_variables) result.allowed.resize(max_variables);
  requirement = result.possible ? std::move(result) : impossible();
}

}  // namespace

Requirements::Requirements(const ground::Game& game, const std::vector<MutexGroup>& groups,
                           ProofLimits limits)
    : game_(game),
      limits_(std::move(limits)),
      holds_(game.first_after_does - game.first_derived),
      fails_(game.first_after_does - game.first_derived) {
  number_values(groups);
  const std::vector<bool> needed = conditions_of_moves();
  auto component = game.recursive.begin();
  for (Atom atom = game.first_derived; atom < game.first_after_does && !limits_.exceeded();
       ++atom) {
    while (component != game.recursive.end() && component->last <= atom) ++component;
    const bool recursive = component != game.recursive.end() && component->first <= atom;
    if (needed[atom] && !recursive) derive(atom);
  }
  for (const Atom legal : game.legal) {
    of_moves_.push_back(legal == ground::no_atom ? impossible()
                                                 : of_literal(Literal(legal, false)));
  }
}

void Requirements::number_values(const std::vector<MutexGroup>& groups) {
  const auto add_variable = [&](std::uint32_t values, Atom first) {
    all_values_.push_back(values >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << values) - 1);
    value_count_.push_back(values);
    true_value_.push_back(first);
    return static_cast<std::uint32_t>(all_values_.size() - 1);
  };
  constexpr std::uint32_t unnumbered = ~std::uint32_t{0};
  place_of_.assign(game_.fluents.size(), {unnumbered, 0});
  for (const MutexGroup& group : groups) {
    const auto size = static_cast<std::uint32_t>(group.fluents.size());
    const std::uint32_t variable =
        add_variable(group.exactly_one ? size : size + 1, group.fluents.front());
    for (std::uint32_t i = 0; i < size; ++i) place_of_[group.fluents[i]] = {variable, i};
  }
  for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
    if (place_of_[fluent].variable == unnumbered) place_of_[fluent] = {add_variable(2, fluent), 0};
  }
}

std::vector<bool> Requirements::conditions_of_moves() const {
  std::vector<bool> needed(game_.first_after_does, false);
  std::vector<Atom> open;
  const auto need = [&](Atom atom) {
    if (atom == ground::no_atom || atom < game_.first_derived || needed[atom]) return;
    needed[atom] = true;
    open.push_back(atom);
  };
  for (const Atom legal : game_.legal) need(legal);
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    for (RuleIndex rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      for (const Literal literal : game_.body(rule)) need(literal.atom());
    }
  }
  return needed;
}

void Requirements::derive(Atom atom) {
  Requirement holds = impossible(), fails;
  for (RuleIndex rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
    if (limits_.exceeded()) return;
    widen(holds, of_body(rule));
    narrow(fails, of_failed_body(rule));
  }
  holds_[atom - game_.first_derived] = std::move(holds);
  fails_[atom - game_.first_derived] = std::move(fails);
}

Requirement Requirements::of_literal(Literal literal) const {
  if (literal.atom() < game_.fluents.size()) return of_fluent(literal);
  if (literal.atom() < game_.first_derived) return {};
  const Atom derived = literal.atom() - game_.first_derived;
  return literal.negated() ? fails_[derived] : holds_[derived];
}

Requirement Requirements::of_fluent(Literal literal) const {
  const VariableValue place = place_of_[literal.atom()];
  const std::uint64_t bit = std::uint64_t{1} << place.value % 64;
  if (!literal.negated()) return {true, {{place.variable, bit}}};
  if (value_count_[place.variable] > 64) return {};
  const std::uint64_t others = all_values_[place.variable] & ~bit;
  return others == 0 ? impossible() : Requirement{true, {{place.variable, others}}};
}

Requirement Requirements::of_body(RuleIndex rule) const {
  Requirement all;
  for (const Literal literal : game_.body(rule)) narrow(all, of_literal(literal));
  return all;
}

Requirement Requirements::of_failed_body(RuleIndex rule) const {
  Requirement some = impossible();
  for (const Literal literal : game_.body(rule)) {
    widen(some, of_literal(Literal(literal.atom(), !literal.negated())));
    if (some.possible && some.allowed.empty()) break;
  }
  return some;
}

// Joins with another requirement (union per variable).
void Requirements::widen(Requirement& requirement, const Requirement& other) const {
  if (!other.possible) return;
  if (!requirement.possible) {
    requirement = other;
    return;
  }
  Requirement result;
  const auto nothing = [](const Allowed&) {};
  merge(
      requirement, other,
      [&](const Allowed& a, const Allowed& b) {
        const std::uint64_t values = a.values | b.values;
        if (values != all_values_[a.variable]) result.allowed.push_back({a.variable, values});
      },
      nothing, nothing);
  requirement = std::move(result);
}

std::vector<Literal> Requirements::literals(std::uint32_t move) const {
  std::vector<Literal> result;
  for (const Allowed& allowed : of_moves_[move].allowed) {
    result.emplace_back(true_value_[allowed.variable], allowed.values != 1);
  }
  return result;
}

}  // namespace zermelo::analysis

// An atom is evaluated on first use, after the atoms below it. The effects of a joint move are
// evaluated incrementally: atoms that depend on the moves have values for "no moves made", and a
// joint move recomputes, in ascending order, the atoms that depend on something that changed. Equal
// conditions have equal ids, so changes that make no difference are not propagated.

#include "symbolic/rule_conditions.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <utility>

namespace zermelo::symbolic {

using ground::Atom;
using Id = dd::Conditions::Id;

RuleConditions::RuleConditions(const PhaseProgram& program, const Encoding& encoding,
                               dd::Conditions& conditions)
    : program_(program),
      encoding_(encoding),
      conditions_(conditions),
      values_(program.game().atoms),
      fluent_of_next_(program.game().atoms, ground::no_atom) {
  const ground::Game& game = program.game();
  for (Atom atom = 0; atom < game.atoms; ++atom) {
    if (program.known(atom) == Known::yes) values_[atom] = dd::Conditions::always;
    if (program.known(atom) == Known::no) values_[atom] = dd::Conditions::never;
  }
  for (Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
    if (values_[fluent]) continue;
    const auto& place = encoding.place(fluent);
    values_[fluent] = conditions.literal(place->variable, {place->value});
    if (game.next[fluent] != ground::no_atom) fluent_of_next_[game.next[fluent]] = fluent;
  }
  for (Atom does = static_cast<Atom>(game.fluents.size()); does < game.first_derived; ++does) {
    if (!values_[does]) values_[does] = dd::Conditions::never;
  }
}

RuleConditions::Unit RuleConditions::unit_of(Atom atom) const {
  const auto& recursive = program_.game().recursive;
  const auto after =
      std::upper_bound(recursive.begin(), recursive.end(), atom,
                       [](Atom a, const auto& component) { return a < component.first; });
  if (after != recursive.begin() && atom < std::prev(after)->last) {
    return {std::prev(after)->first, std::prev(after)->last};
  }
  return {atom, atom + 1};
}

base::Result<Id> RuleConditions::literal(ground::Literal literal) {
  assert(values_[literal.atom()]);
  const Id id = *values_[literal.atom()];
  if (!literal.negated()) return id;
  return conditions_.negation(id);
}

// Sorts from the last variable up, so that most steps of combining them add one node on top.
void RuleConditions::sort_upwards(std::vector<Id>& conditions) const {
  std::sort(conditions.begin(), conditions.end(), [&](Id a, Id b) {
    return std::pair(conditions_.level(a), a) > std::pair(conditions_.level(b), b);
  });
}

base::Result<Id> RuleConditions::body(Atom atom, std::size_t rule) {
  std::vector<Id> parts;
  for (const ground::Literal literal : program_.body(atom, rule)) {
    const auto part = this->literal(literal);
    if (!part || *part == dd::Conditions::never) return part;
    parts.push_back(*part);
  }
  sort_upwards(parts);
  base::Result<Id> all = dd::Conditions::always;
  for (std::size_t i = 0; i < parts.size() && all; ++i) all = conditions_.both(parts[i], *all);
  return all;
}

base::Result<Id> RuleConditions::either(std::vector<Id> conditions) {
  sort_upwards(conditions);
  base::Result<Id> any = dd::Conditions::never;
  for (std::size_t i = 0; i < conditions.size() && any; ++i) {
    any = conditions_.either(conditions[i], *any);
  }
  return any;
}

// Replaces all by a single condition, unless that takes more than `max_nodes` nodes.
base::Result<std::vector<Id>> RuleConditions::any_of(std::vector<Id> conditions,
                                                     std::size_t max_nodes) {
  const std::size_t before = conditions_.table_size(), end = before + max_nodes;
  sort_upwards(conditions);
  Id any = dd::Conditions::never;
  for (const Id condition : conditions) {
    const auto joined = conditions_.either_within(condition, any, end - conditions_.table_size());
    if (!joined) return tl::unexpected(joined.error());
    if (!*joined) {
      conditions_.forget_after(before);
      return conditions;
    }
    any = **joined;
  }
  return std::vector<Id>{any};
}

base::Result<Id> RuleConditions::rules(Atom atom) {
  std::vector<Id> bodies;
  for (std::size_t rule = 0; rule < program_.rules(atom); ++rule) {
    const auto condition = body(atom, rule);
    if (!condition) return condition;
    if (*condition == dd::Conditions::always) return condition;
    if (*condition != dd::Conditions::never) bodies.push_back(*condition);
  }
  const auto condition = either(std::move(bodies));
  if (!condition) return condition;
  const bool is_false = std::count(assumed_false_.begin(), assumed_false_.end(), *condition) > 0;
  return is_false ? dd::Conditions::never : *condition;
}

void RuleConditions::set(Atom atom, Id value) {
  if (values_[atom] == value) return;
  if (is_indexed_) undo_.emplace_back(atom, values_[atom]);
  values_[atom] = value;
}

// Atoms known in advance keep their values. Other recursive atoms start from never.
base::Result<void> RuleConditions::evaluate(Unit unit) {
  if (unit.last - unit.first > 1) {
    for (Atom atom = unit.first; atom < unit.last; ++atom) {
      if (program_.needed(atom)) values_[atom] = dd::Conditions::never;
    }
  } else {
    values_[unit.first] = dd::Conditions::never;
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (Atom atom = unit.first; atom < unit.last; ++atom) {
      if (!program_.needed(atom)) continue;
      const auto value = rules(atom);
      if (!value) return tl::unexpected(value.error());
      changed |= unit.last - unit.first > 1 && values_[atom] != *value;
      values_[atom] = *value;
    }
  }
  return {};
}

// Evaluates an atom and everything below it that has no value yet.
base::Result<void> RuleConditions::ensure(Atom root) {
  std::vector<Atom> open = {root};
  while (!open.empty()) {
    const Unit unit = unit_of(open.back());
    if (values_[open.back()]) {
      open.pop_back();
      continue;
    }
    const std::size_t before = open.size();
    for (Atom atom = unit.first; atom < unit.last; ++atom) {
      if (!program_.needed(atom)) continue;
      for (std::size_t rule = 0; rule < program_.rules(atom); ++rule) {
        for (const ground::Literal literal : program_.body(atom, rule)) {
          const Atom below = literal.atom();
          if (!values_[below] && (below < unit.first || below >= unit.last)) open.push_back(below);
        }
      }
    }
    if (open.size() > before) continue;
    if (auto done = evaluate(unit); !done) return done;
  }
  return {};
}

base::Result<Id> RuleConditions::of(Atom atom) {
  if (atom == ground::no_atom) return dd::Conditions::never;
  if (auto done = ensure(atom); !done) return tl::unexpected(done.error());
  return *values_[atom];
}

base::Result<std::vector<Id>> RuleConditions::disjuncts(Atom atom, std::size_t max_nodes) {
  std::vector<Id> result;
  const auto add = [&](const std::vector<Id>& conditions) {
    std::copy_if(conditions.begin(), conditions.end(), std::back_inserter(result),
                 [](Id condition) { return condition != dd::Conditions::never; });
  };
  const bool is_basic = atom < program_.game().first_derived || program_.known(atom) != Known::open;
  if (is_basic || unit_of(atom).last - unit_of(atom).first > 1) {
    const auto own = of(atom);
    if (!own) return tl::unexpected(own.error());
    add({*own});
    return result;
  }
  std::vector<Id> bodies;
  for (std::size_t rule = 0; rule < program_.rules(atom); ++rule) {
    const auto literals = program_.body(atom, rule);
    if (literals.size() == 1 && !literals[0].negated()) {
      const auto below = disjuncts(literals[0].atom(), max_nodes);
      if (!below) return below;
      add(*below);
      continue;
    }
    for (const ground::Literal literal : literals) {
      if (auto done = ensure(literal.atom()); !done) return tl::unexpected(done.error());
    }
    const auto condition = body(atom, rule);
    if (!condition) return tl::unexpected(condition.error());
    bodies.push_back(*condition);
  }
  const auto own = any_of(std::move(bodies), max_nodes);
  if (!own) return own;
  add(*own);
  return result;
}

void RuleConditions::index_dependents() {
  const ground::Game& game = program_.game();
  dependents_.resize(game.atoms);
  for (Atom atom = game.first_after_does; atom < game.atoms; ++atom) {
    if (!program_.needed(atom)) continue;
    for (std::size_t rule = 0; rule < program_.rules(atom); ++rule) {
      for (const ground::Literal literal : program_.body(atom, rule)) {
        auto& list = dependents_[literal.atom()];
        if (list.empty() || list.back() != atom) list.push_back(atom);
      }
    }
  }
}

base::Result<void> RuleConditions::make(std::span<const std::uint32_t> joint) {
  const ground::Game& game = program_.game();
  if (!is_indexed_) {
    for (Atom atom = game.first_after_does; atom < game.atoms; ++atom) {
      if (!program_.needed(atom)) continue;
      if (auto done = ensure(atom); !done) return done;
    }
    index_dependents();
    is_indexed_ = true;
  }
  unmake();
  std::set<Atom> waiting;  // first atoms of units
  const auto touch = [&](Atom atom, Id value) {
    if (values_[atom] == value) return;
    set(atom, value);
    for (const Atom dependent : dependents_[atom]) waiting.insert(unit_of(dependent).first);
    if (fluent_of_next_[atom] != ground::no_atom) moved_.push_back(fluent_of_next_[atom]);
  };
  for (const std::uint32_t move : joint) touch(game.does(move), dd::Conditions::always);
  while (!waiting.empty()) {
    const Unit unit = unit_of(*waiting.begin());
    waiting.erase(waiting.begin());
    std::vector<std::optional<Id>> before(values_.begin() + unit.first,
                                          values_.begin() + unit.last);
    if (auto done = evaluate(unit); !done) return done;
    for (Atom atom = unit.first; atom < unit.last; ++atom) {
      std::swap(before[atom - unit.first], values_[atom]);
    }
    for (Atom atom = unit.first; atom < unit.last; ++atom) {
      if (program_.needed(atom)) touch(atom, *before[atom - unit.first]);
    }
    waiting.erase(unit.first);
  }
  return {};
}

base::Result<Id> RuleConditions::next(Atom fluent) { return of(program_.game().next[fluent]); }

void RuleConditions::unmake() {
  while (!undo_.empty()) {
    values_[undo_.back().first] = undo_.back().second;
    undo_.pop_back();
  }
  moved_.clear();
}

}  // namespace zermelo::symbolic

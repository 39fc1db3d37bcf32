// An atom's value is a disjunction of cubes over the variables of the state. A body takes the cubes
// of the atoms it reads where they are conjunctions (a disjunction of single conditions is one when
// negated) and short enough, and otherwise a derived variable with the atom's value as axioms: so
// bodies are never multiplied out. Atoms that depend on each other get a derived variable each.
//
// What depends on the moves is computed once for one move, the base, and for others only where they
// differ. A rule is dead at the base if it asks for another move, or for an atom that does not hold
// then; it waits for the first such atom and is looked at again only for moves that change it.
// Atoms are numbered so that an atom comes after those it depends on, so changes are followed
// upwards in one pass. With a base of the same kind, stack(a, b) for stack(c, d), most of what
// rules say about all moves of the kind does not change.
#include "translate/sas/rule_values.h"

#include <algorithm>

#include "translate/sas/task.h"

namespace zermelo::translate::sas {

namespace {

using ground::Atom;
using ground::Literal;
using ground::RuleIndex;

constexpr std::uint32_t no_axiom = ~std::uint32_t{0};
constexpr std::size_t always_short = 4;  // conditions
constexpr std::size_t max_growth = 64;   // conditions that inlining may add in all
constexpr std::size_t max_copied = 4;    // cubes of a rule that only renames an atom

}  // namespace

RuleValues::RuleValues(const ground::Game& game, const Encoding& encoding, AxiomTable& axioms,
                       const std::vector<bool>& ignored, Namer namer)
    : game_(game),
      encoding_(encoding),
      axioms_(axioms),
      ignored_(ignored),
      namer_(std::move(namer)),
      ignores_any_(std::count(ignored.begin(), ignored.end(), true) > 0),
      values_(game.atoms - game.first_derived),
      axiom_of_(values_.size(), no_axiom),
      is_queued_(game.atoms, false) {
  count_uses();
  derive_all(game.first_derived, game.first_after_does);
}

void RuleValues::set_base(std::uint32_t move) {
  base_ = move_ = game_.does(move);
  derive_all(game_.first_after_does, game_.atoms);
  at_base_.assign(values_.begin() + (game_.first_after_does - game_.first_derived), values_.end());
  watch_rules();
}

void RuleValues::count_uses() {
  uses_.assign(game_.atoms, 0);
  for (const Literal literal : game_.literals) ++uses_[literal.atom()];
  for (const Atom legal : game_.legal) {
    if (legal != ground::no_atom) ++uses_[legal];
  }
}

void RuleValues::derive_all(Atom begin, Atom end) {
  for (Atom atom = begin; atom < end;) {
    const Range range = component_of(atom);
    if (range.last - range.first > 1) {
      derive_component(range);
    } else {
      derive_atom(atom, all_rules(atom));
    }
    atom = range.last;
  }
}

RuleValues::Range RuleValues::component_of(Atom atom) const {
  const auto after = std::upper_bound(
      game_.recursive.begin(), game_.recursive.end(), atom,
      [](Atom a, const ground::Game::Component& component) { return a < component.first; });
  if (after == game_.recursive.begin() || atom >= std::prev(after)->last) return {atom, atom + 1};
  return {std::prev(after)->first, std::prev(after)->last};
}

std::vector<RuleIndex> RuleValues::all_rules(Atom atom) const {
  std::vector<RuleIndex> rules;
  for (RuleIndex r = game_.rules_begin(atom); r < game_.rules_end(atom); ++r) rules.push_back(r);
  return rules;
}

void RuleValues::derive_atom(Atom atom, std::span<const RuleIndex> rules) {
  Dnf dnf;
  value(atom).clear();  // a rule that reads its own head adds nothing
  axiom_of_[atom - game_.first_derived] = no_axiom;
  if (!ignored_[atom] || atom == game_.terminal) {
    for (const RuleIndex rule : rules) add_rule(rule, dnf);
  }
  reduce(dnf);
  value(atom) = std::move(dnf);
}

bool RuleValues::is_ignored(RuleIndex rule) const {
  if (!ignores_any_) return false;
  const auto body = game_.body(rule);
  return std::any_of(body.begin(), body.end(),
                     [&](Literal literal) { return ignored_[literal.atom()]; });
}

void RuleValues::add_rule(RuleIndex rule, Dnf& dnf) {
  if (is_ignored(rule)) return;
  const auto body = game_.body(rule);
  if (body.size() == 1 && !body[0].negated() && body[0].atom() >= game_.first_derived &&
      value(body[0].atom()).size() <= max_copied) {
    const Dnf& same = value(body[0].atom());
    dnf.insert(dnf.end(), same.begin(), same.end());
    return;
  }
  Cube cube;
  for (const Literal literal : body) {
    if (!append(literal, cube)) return;
  }
  if (encoding_.domains.normalise(cube)) dnf.push_back(std::move(cube));
}

bool RuleValues::is_short(std::size_t conditions, Atom atom) const {
  return conditions <= always_short ||
         (conditions - 1) * (std::max(uses_[atom], 1u) - 1) <= max_growth;
}

bool RuleValues::append(Literal literal, Cube& cube) {
  const Atom atom = literal.atom();
  if (atom < game_.fluents.size()) {
    const Encoding::Place place = encoding_.places[atom];
    cube.push_back({place.variable, place.value, !literal.negated()});
    return true;
  }
  if (atom < game_.first_derived) return (atom == move_) != literal.negated();
  const Dnf& dnf = value(atom);
  if (dnf.empty()) return literal.negated();
  if (is_always(dnf)) return !literal.negated();
  if (!literal.negated() && dnf.size() == 1 && is_short(dnf[0].size(), atom)) {
    cube.insert(cube.end(), dnf[0].begin(), dnf[0].end());
    return true;
  }
  if (literal.negated() && is_short(dnf.size(), atom) &&
      std::all_of(dnf.begin(), dnf.end(), [](const Cube& c) { return c.size() == 1; })) {
    for (const Cube& c : dnf) cube.push_back({c[0].variable, c[0].value, !c[0].equal});
    return true;
  }
  Condition axiom = axiom_of(atom);
  axiom.equal = !literal.negated();
  cube.push_back(axiom);
  return true;
}

Condition RuleValues::axiom_of(Atom atom) {
  std::uint32_t& known = axiom_of_[atom - game_.first_derived];
  if (known == no_axiom) {
    const std::string name = atom < game_.first_after_does ? namer_(atom) : std::string();
    known = axioms_.of(value(atom), name).variable;
  }
  return {known, derived_true, true};
}

Dnf RuleValues::of(Atom atom) const {
  if (atom == ground::no_atom) return {};
  if (atom >= game_.first_derived) return value(atom);
  if (atom >= game_.fluents.size()) return atom == move_ ? Dnf{{}} : Dnf{};
  return {{{encoding_.places[atom].variable, encoding_.places[atom].value, true}}};
}

RuleValues::Known RuleValues::known(Literal literal) const {
  const Atom atom = literal.atom();
  if (atom < game_.fluents.size()) return Known::open;
  const auto decided = [&](bool holds) {
    return holds != literal.negated() ? Known::yes : Known::no;
  };
  if (atom < game_.first_derived) return decided(atom == move_);
  const Dnf& dnf = value(atom);
  return dnf.empty() || is_always(dnf) ? decided(!dnf.empty()) : Known::open;
}

bool RuleValues::some_rule(Atom head, const std::function<bool(Literal)>& holds) const {
  for (RuleIndex rule = game_.rules_begin(head); rule < game_.rules_end(head); ++rule) {
    const auto body = game_.body(rule);
    if (!is_ignored(rule) && std::all_of(body.begin(), body.end(), holds)) return true;
  }
  return false;
}

// Which atoms of a component hold or fail in every state: two least fixpoints.
std::vector<RuleValues::Known> RuleValues::decide_component(Range range) const {
  const auto fixpoint = [&](Known from) {
    std::vector<bool> reached(range.last - range.first, false);
    const auto holds = [&](Literal literal) {
      if (literal.atom() >= range.first && literal.atom() < range.last)
        return static_cast<bool>(reached[literal.atom() - range.first]);
      const Known value = known(literal);
      return value == Known::yes || value == from;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (Atom atom = range.first; atom < range.last; ++atom) {
        if (reached[atom - range.first] || !some_rule(atom, holds)) continue;
        reached[atom - range.first] = changed = true;
      }
    }
    return reached;
  };
  const std::vector<bool> certain = fixpoint(Known::yes), possible = fixpoint(Known::open);
  std::vector<Known> result;
  for (std::size_t i = 0; i < certain.size(); ++i)
    result.push_back(certain[i] ? Known::yes : possible[i] ? Known::open : Known::no);
  return result;
}

void RuleValues::derive_component(Range range) {
  const std::vector<Known> decided = decide_component(range);
  for (Atom atom = range.first; atom < range.last; ++atom) {
    const Known value_of_atom = decided[atom - range.first];
    axiom_of_[atom - game_.first_derived] = no_axiom;
    value(atom) = value_of_atom == Known::no    ? Dnf{}
                  : value_of_atom == Known::yes ? Dnf{{}}
                                                : Dnf{{axioms_.reserve()}};
  }
  for (Atom atom = range.first; atom < range.last; ++atom) {
    if (decided[atom - range.first] != Known::open) continue;
    Dnf definition;
    for (const RuleIndex rule : all_rules(atom)) add_rule(rule, definition);
    reduce(definition);
    axioms_.define(value(atom)[0][0], std::move(definition));
  }
}

void RuleValues::watch_rules() {
  const auto readable = game_.atoms - game_.fluents.size();
  live_.assign(at_base_.size(), {});
  woken_.assign(at_base_.size(), {});
  live_heads_.assign(readable, {});
  waiting_.assign(readable, {});
  head_of_.resize(game_.rules());
  for (Atom head = game_.first_after_does; head < game_.atoms; ++head) {
    for (RuleIndex r = game_.rules_begin(head); r < game_.rules_end(head); ++r) watch_rule(head, r);
  }
}

void RuleValues::watch_rule(Atom head, RuleIndex rule) {
  head_of_[rule] = head;
  const auto by_move = [&](Literal literal) {
    return literal.atom() >= game_.first_after_does ||
           (literal.atom() >= game_.fluents.size() && literal.atom() < game_.first_derived);
  };
  for (const Literal literal : game_.body(rule)) {
    if (!by_move(literal) || known(literal) != Known::no) continue;
    waiting_[literal.atom() - game_.fluents.size()].push_back(rule);
    return;
  }
  live_[head - game_.first_after_does].push_back(rule);
  for (const Literal literal : game_.body(rule)) {
    if (by_move(literal)) live_heads_[literal.atom() - game_.fluents.size()].push_back(head);
  }
}

void RuleValues::queue(Atom atom) {
  const Atom first = component_of(atom).first;
  if (is_queued_[first]) return;
  is_queued_[first] = true;
  queue_.push(first);
}

// Queues what reads an atom, except the component that the atom belongs to.
void RuleValues::changed(Atom atom) {
  const std::size_t place = atom - game_.fluents.size();
  const Range own = component_of(atom);
  const auto is_own = [&](Atom head) { return head >= own.first && head < own.last; };
  for (const Atom head : live_heads_[place]) {
    if (!is_own(head)) queue(head);
  }
  for (const RuleIndex rule : waiting_[place]) {
    if (is_own(head_of_[rule])) continue;
    woken_[head_of_[rule] - game_.first_after_does].push_back(rule);
    queue(head_of_[rule]);
  }
}

void RuleValues::derive_again(Atom atom) {
  const Range range = component_of(atom);
  if (range.last - range.first > 1) {
    derive_component(range);
  } else {
    const std::size_t place = atom - game_.first_after_does;
    std::vector<RuleIndex> rules = live_[place];
    rules.insert(rules.end(), woken_[place].begin(), woken_[place].end());
    derive_atom(atom, rules);
  }
  for (Atom a = range.first; a < range.last; ++a) {
    woken_[a - game_.first_after_does].clear();
    if (value(a) == at_base_[a - game_.first_after_does]) continue;
    changed_.push_back(a);
    changed(a);
  }
}

std::span<const Atom> RuleValues::enter(std::uint32_t move) {
  move_ = game_.does(move);
  if (move_ == base_) return changed_;
  changed(base_);
  changed(move_);
  while (!queue_.empty()) {
    const Atom atom = queue_.top();
    queue_.pop();
    is_queued_[atom] = false;
    derive_again(atom);
  }
  return changed_;
}

void RuleValues::leave() {
  for (const Atom atom : changed_) {
    value(atom) = at_base_[atom - game_.first_after_does];
    axiom_of_[atom - game_.first_derived] = no_axiom;
  }
  changed_.clear();
  move_ = base_;
}

}  // namespace zermelo::translate::sas

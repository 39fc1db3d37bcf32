// An atom's value is a disjunction of cubes over the variables of the state. A body takes the cubes
// of the atoms it reads where they are conjunctions (a disjunction of single conditions is one when
// negated) and short enough, and otherwise a derived variable with the atom's value as axioms: so
// bodies are never multiplied out. Atoms that depend on each other get a derived variable each.
//
// The rules of an atom that read the same atoms over moves are one part of it. What a part asks of
// the state is the same for all moves, so where that is more than a few cubes it becomes an axiom
// once, which moves share. Rules that differ in the move only are one part, too: most frame rules
// list the moves that leave a fluent alone.
//
// What depends on the moves is computed once for one move, the base, and for others only where they
// differ. A part is dead at the base if it asks for another move, or for an atom that does not hold
// then; it waits for the first such atom and is looked at again only for moves that change it.
// Atoms are numbered so that an atom comes after those it depends on, so changes are followed
// upwards in one pass. With a base of the same kind, stack(a, b) for stack(c, d), most of what
// rules say about all moves of the kind does not change.
#include "translate/sas/rule_values.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <tuple>

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
constexpr std::size_t max_unshared = 8;  // cubes of a part

// Calls merge(a, b) for neighbours that are the same, and removes b.
template <class Parts, class Iterator, class Same, class Merge>
void merge_neighbours(Parts& parts, Iterator first, Same same, Merge merge) {
  auto end = first;  // of the merged ones
  for (auto part = first; part != parts.end(); ++part) {
    if (end != first && same(*std::prev(end), *part)) {
      merge(*std::prev(end), *part);
    } else {
      if (end != part) *end = std::move(*part);
      ++end;
    }
  }
  parts.erase(end, parts.end());
}

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
      cube_of_(values_.size()),
      queued_(game.atoms / 64 + 1) {
  count_uses();
  derive_all(game.first_derived, game.first_after_does);
  make_parts();
}

void RuleValues::set_base(std::uint32_t move) {
  base_ = move_ = game_.does(move);
  derive_all(game_.first_after_does, game_.atoms);
  watch_parts();
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
      derive_atom(atom);
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

void RuleValues::derive_atom(Atom atom) {
  if (atom >= game_.first_after_does) {
    const std::size_t place = atom - game_.first_after_does;
    scratch_.resize(first_part_of_[place + 1] - first_part_of_[place]);
    std::iota(scratch_.begin(), scratch_.end(), first_part_of_[place]);
    derive_atom(atom, scratch_);
    return;
  }
  Dnf dnf;
  value(atom).clear();  // a rule that reads its own head adds nothing
  if (!ignored_[atom] || atom == game_.terminal) {
    for (RuleIndex r = game_.rules_begin(atom); r < game_.rules_end(atom); ++r) add_rule(r, dnf);
  }
  set_value(atom, std::move(dnf));
}

void RuleValues::derive_atom(Atom atom, std::span<const PartIndex> parts) {
  Dnf dnf;
  value(atom).clear();
  for (const PartIndex part : parts) add_part(parts_[part], dnf);
  set_value(atom, std::move(dnf));
}

void RuleValues::set_value(Atom atom, Dnf dnf) {
  reduce(dnf);
  value(atom) = std::move(dnf);
  forget(atom);
}

void RuleValues::forget(Atom atom) {
  axiom_of_[atom - game_.first_derived] = no_axiom;
  cube_of_[atom - game_.first_derived].clear();
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
  add_body(body, dnf);
}

void RuleValues::add_body(std::span<const Literal> body, Dnf& dnf) {
  Cube cube;
  for (const Literal literal : body) {
    if (!append(literal, cube)) return;
  }
  if (encoding_.domains.normalise(cube)) dnf.push_back(std::move(cube));
}

void RuleValues::add_part(const Part& part, Dnf& dnf) {
  const bool renames = part.over_moves.size() == 1 && part.moves.empty() && is_always(part.rest) &&
                       !part.over_moves[0].negated() &&
                       part.over_moves[0].atom() >= game_.first_derived;
  if (renames && value(part.over_moves[0].atom()).size() <= max_copied) {
    const Dnf& same = value(part.over_moves[0].atom());
    dnf.insert(dnf.end(), same.begin(), same.end());
    return;
  }
  if (!allows(part, move_)) return;
  Cube cube;
  for (const Literal literal : part.over_moves) {
    if (!append(literal, cube)) return;
  }
  for (const Cube& rest : part.rest) {
    if (cube.empty()) {
      if (dnf.empty() || dnf.back() != rest) dnf.push_back(rest);
      continue;
    }
    Cube both = cube;
    both.insert(both.end(), rest.begin(), rest.end());
    if (encoding_.domains.normalise(both)) dnf.push_back(std::move(both));
  }
}

bool RuleValues::is_over_moves(Literal literal) const {
  return literal.atom() >= game_.first_after_does ||
         (literal.atom() >= game_.fluents.size() && literal.atom() < game_.first_derived);
}

void RuleValues::make_parts() {
  for (Atom head = game_.first_after_does; head < game_.atoms; ++head) {
    first_part_of_.push_back(static_cast<PartIndex>(parts_.size()));
    if (!ignored_[head]) make_parts(head);
  }
  first_part_of_.push_back(static_cast<PartIndex>(parts_.size()));
}

void RuleValues::make_parts(Atom head) {
  const auto first = static_cast<std::ptrdiff_t>(parts_.size());
  for (RuleIndex rule = game_.rules_begin(head); rule < game_.rules_end(head); ++rule) {
    if (is_ignored(rule)) continue;
    Part part{head, {}, {}, {}};
    std::vector<Literal> rest;
    for (const Literal literal : game_.body(rule))
      (is_over_moves(literal) ? part.over_moves : rest).push_back(literal);
    std::sort(part.over_moves.begin(), part.over_moves.end());
    part.over_moves.empty() ? add_rule(rule, part.rest) : add_body(rest, part.rest);
    if (!part.rest.empty()) parts_.push_back(std::move(part));
  }
  merge_bodies(parts_.begin() + first);
  merge_moves(parts_.begin() + first);
}

// Merges those from `first` on that read the same atoms over moves.
void RuleValues::merge_bodies(std::vector<Part>::iterator first) {
  std::stable_sort(first, parts_.end(),
                   [](const Part& a, const Part& b) { return a.over_moves < b.over_moves; });
  merge_neighbours(
      parts_, first, [](const Part& a, const Part& b) { return a.over_moves == b.over_moves; },
      [](Part& a, Part& b) {
        std::move(b.rest.begin(), b.rest.end(), std::back_inserter(a.rest));
      });
  for (auto part = first; part != parts_.end(); ++part) {
    reduce(part->rest);
    if (part->rest.size() > max_unshared) part->rest = {axioms_.cube_of(std::move(part->rest))};
  }
}

// Merges those from `first` on that differ in a move only.
void RuleValues::merge_moves(std::vector<Part>::iterator first) {
  const auto is_move = [&](Literal literal) {
    return !literal.negated() && literal.atom() < game_.first_derived;
  };
  for (auto part = first; part != parts_.end(); ++part) {
    auto& literals = part->over_moves;
    if (std::count_if(literals.begin(), literals.end(), is_move) != 1) continue;
    const auto move = std::find_if(literals.begin(), literals.end(), is_move);
    part->moves = {move->atom()};
    literals.erase(move);
  }
  const auto key = [](const Part& part) { return std::tie(part.over_moves, part.rest); };
  std::stable_sort(first, parts_.end(),
                   [&](const Part& a, const Part& b) { return key(a) < key(b); });
  merge_neighbours(
      parts_, first,
      [&](const Part& a, const Part& b) {
        return !a.moves.empty() && !b.moves.empty() && key(a) == key(b);
      },
      [](Part& a, const Part& b) { a.moves.push_back(b.moves[0]); });
  for (auto part = first; part != parts_.end(); ++part)
    std::sort(part->moves.begin(), part->moves.end());
}

bool RuleValues::allows(const Part& part, Atom move) const {
  return part.moves.empty() || std::binary_search(part.moves.begin(), part.moves.end(), move);
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

const Dnf& RuleValues::of(Atom atom) {
  if (atom != ground::no_atom && atom >= game_.first_derived) return value(atom);
  if (atom == ground::no_atom) {
    plain_.clear();
  } else if (atom >= game_.fluents.size()) {
    plain_ = atom == move_ ? Dnf{{}} : Dnf{};
  } else {
    plain_ = {{{encoding_.places[atom].variable, encoding_.places[atom].value, true}}};
  }
  return plain_;
}

const Cube& RuleValues::cube_of(Atom derived) {
  Cube& cube = cube_of_[derived - game_.first_derived];
  if (cube.empty()) cube = axioms_.cube_of(value(derived));
  return cube;
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
    forget(atom);
    value(atom) = value_of_atom == Known::no    ? Dnf{}
                  : value_of_atom == Known::yes ? Dnf{{}}
                                                : Dnf{{axioms_.reserve()}};
  }
  for (Atom atom = range.first; atom < range.last; ++atom) {
    if (decided[atom - range.first] != Known::open) continue;
    Dnf definition;
    for (RuleIndex r = game_.rules_begin(atom); r < game_.rules_end(atom); ++r)
      add_rule(r, definition);
    reduce(definition);
    axioms_.define(value(atom)[0][0], std::move(definition));
  }
}

void RuleValues::watch_parts() {
  const auto readable = game_.atoms - game_.fluents.size();
  live_.assign(game_.atoms - game_.first_after_does, {});
  woken_.assign(game_.atoms - game_.first_after_does, {});
  live_heads_.assign(readable, {});
  waiting_.assign(readable, {});
  live_by_move_.clear();
  for (PartIndex part = 0; part < parts_.size(); ++part) watch_part(part);
}

void RuleValues::watch_part(PartIndex index) {
  const Part& part = parts_[index];
  if (!allows(part, base_)) {
    for (const Atom move : part.moves) waiting_[move - game_.fluents.size()].push_back(index);
    return;
  }
  for (const Literal literal : part.over_moves) {
    if (known(literal) != Known::no) continue;
    waiting_[literal.atom() - game_.fluents.size()].push_back(index);
    return;
  }
  live_[part.head - game_.first_after_does].push_back(index);
  if (!part.moves.empty()) live_by_move_.push_back(index);
  for (const Literal literal : part.over_moves)
    live_heads_[literal.atom() - game_.fluents.size()].push_back(part.head);
}

void RuleValues::queue(Atom atom) {
  const Atom first = component_of(atom).first;
  const std::uint64_t bit = std::uint64_t{1} << first % 64;
  std::uint64_t& word = queued_[first / 64];
  queue_size_ += (word & bit) == 0;
  word |= bit;
  first_queued_word_ = std::min(first_queued_word_, std::size_t{first / 64});
}

// Removes the first from the queue, which must not be empty.
Atom RuleValues::next_queued() {
  while (queued_[first_queued_word_] == 0) ++first_queued_word_;
  std::uint64_t& word = queued_[first_queued_word_];
  const auto bit = static_cast<std::size_t>(std::countr_zero(word));
  word &= word - 1;
  --queue_size_;
  return static_cast<Atom>(first_queued_word_ * 64 + bit);
}

RuleValues::Saved RuleValues::save(Atom atom) {
  const std::size_t place = atom - game_.first_derived;
  return {atom, axiom_of_[place], std::move(values_[place]), std::move(cube_of_[place])};
}

void RuleValues::restore(Saved& saved) {
  const std::size_t place = saved.atom - game_.first_derived;
  axiom_of_[place] = saved.axiom;
  values_[place] = std::move(saved.value);
  cube_of_[place] = std::move(saved.cube);
}

// Queues what reads an atom, except the component that the atom belongs to.
void RuleValues::changed(Atom atom) {
  const std::size_t place = atom - game_.fluents.size();
  const Range own = component_of(atom);
  const auto is_own = [&](Atom head) { return head >= own.first && head < own.last; };
  for (const Atom head : live_heads_[place]) {
    if (!is_own(head)) queue(head);
  }
  for (const PartIndex part : waiting_[place]) {
    const Atom head = parts_[part].head;
    if (is_own(head)) continue;
    woken_[head - game_.first_after_does].push_back(part);
    queue(head);
  }
}

void RuleValues::derive_again(Atom atom) {
  const Range range = component_of(atom);
  deriving_.clear();
  for (Atom a = range.first; a < range.last; ++a) deriving_.push_back(save(a));
  if (range.last - range.first > 1) {
    derive_component(range);
  } else {
    const std::size_t place = atom - game_.first_after_does;
    scratch_ = live_[place];
    scratch_.insert(scratch_.end(), woken_[place].begin(), woken_[place].end());
    derive_atom(atom, scratch_);
  }
  for (Saved& base : deriving_) {
    woken_[base.atom - game_.first_after_does].clear();
    if (value(base.atom) == base.value) {
      restore(base);
      continue;
    }
    changed_.push_back(base.atom);
    changed(base.atom);
    saved_.push_back(std::move(base));
  }
}

std::span<const Atom> RuleValues::enter(std::uint32_t move) {
  move_ = game_.does(move);
  if (move_ == base_) return changed_;
  changed(base_);
  changed(move_);
  for (const PartIndex part : live_by_move_) {
    if (!allows(parts_[part], move_)) queue(parts_[part].head);
  }
  while (queue_size_ > 0) derive_again(next_queued());
  return changed_;
}

void RuleValues::leave() {
  for (Saved& saved : saved_) restore(saved);
  saved_.clear();
  changed_.clear();
  move_ = base_;
}

}  // namespace zermelo::translate::sas

// After begin() all atoms have the bounds that they have in any non-terminal state without moves.
// Assumptions and moves change the bounds of atoms; atoms whose rules mention these are evaluated
// again, in ascending order, so that each is evaluated once. A recursive component is evaluated as
// a whole: the least fixed point of both bounds.
#include "translate/toss/three_valued.h"

#include <algorithm>
#include <numeric>

namespace zermelo::translate::toss {

using ground::Atom;
using ground::Literal;

namespace {

constexpr int local_levels = 4;
constexpr std::size_t max_local_steps = 3'000;

Bounds of_literal(Literal literal, Bounds atom) {
  return literal.negated() ? Bounds{!atom.must, !atom.can} : atom;
}

}  // namespace

ThreeValued::ThreeValued(const ground::Game& game, const analysis::MutexGroups& groups,
                         Reevaluation how)
    : game_(game),
      how_(how),
      groups_(groups),
      group_of_(game.fluents.size(), no_group),
      component_(game.atoms, 0),
      bounds_(game.atoms),
      assumed_(game.atoms, false),
      scheduled_(game.atoms, false) {
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    for (const Atom fluent : groups.groups[g].fluents) group_of_[fluent] = g;
  }
  for (std::uint32_t c = 0; c < game.recursive.size(); ++c) {
    const auto& component = game.recursive[c];
    std::fill(component_.begin() + component.first, component_.begin() + component.last, c + 1);
  }
  list_dependents();
  for (Atom atom = game.first_derived; atom < game.atoms; ++atom) schedule(atom);
  for (std::uint32_t move = 0; move < game.moves.size(); ++move) {
    bounds_[game.does(move)] = {false, false};
  }
  if (game.terminal != ground::no_atom) assume(game.terminal, false);
  evaluate(game.atoms);
  start_ = bounds_;
  start_consistent_ = consistent_;
  changed_.clear();
  assumptions_.clear();  // that the state is not terminal stays
  steps_ = 0;
}

std::size_t ThreeValued::bytes_for(const ground::Game& game) {
  return game.literals.size() * sizeof(Atom) + game.atoms * 64;
}

template <class Function>
void ThreeValued::for_each_dependent(const Function& function) const {
  std::vector<Atom> last_reader(game_.atoms, ground::no_atom);
  for (Atom atom = game_.first_derived; atom < game_.atoms; ++atom) {
    const Atom reader = component_[atom] > 0 ? game_.recursive[component_[atom] - 1].first : atom;
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      for (const Literal literal : game_.body(rule)) {
        if (std::exchange(last_reader[literal.atom()], reader) == reader) continue;
        function(literal.atom(), reader);
      }
    }
  }
}

void ThreeValued::list_dependents() {
  first_dependent_.resize(game_.atoms + 1);
  for_each_dependent([&](Atom atom, Atom) { ++first_dependent_[atom + 1]; });
  std::partial_sum(first_dependent_.begin(), first_dependent_.end(), first_dependent_.begin());
  dependents_.resize(first_dependent_.back());
  std::vector<std::size_t> free = first_dependent_;
  for_each_dependent([&](Atom atom, Atom reader) { dependents_[free[atom]++] = reader; });
}

void ThreeValued::begin() {
  for (const Atom atom : changed_) bounds_[atom] = start_[atom];
  for (const Atom atom : assumptions_) assumed_[atom] = false;
  while (!queue_.empty()) {
    scheduled_[queue_.top()] = false;
    queue_.pop();
  }
  changed_.clear();
  assumptions_.clear();
  consistent_ = start_consistent_;
  if (how_ == Reevaluation::changed) return;
  for (Atom atom = game_.first_derived; atom < game_.atoms; ++atom) schedule(atom);
}

void ThreeValued::schedule(Atom atom) {
  const Atom first = component_[atom] > 0 ? game_.recursive[component_[atom] - 1].first : atom;
  if (scheduled_[first]) return;
  scheduled_[first] = true;
  queue_.push(first);
}

void ThreeValued::change(Atom atom, Bounds value) {
  if (bounds_[atom] == value) return;
  bounds_[atom] = value;
  changed_.push_back(atom);
  for (std::size_t i = first_dependent_[atom]; i < first_dependent_[atom + 1]; ++i) {
    schedule(dependents_[i]);
  }
}

bool ThreeValued::assume(Atom atom, bool value) {
  const Bounds known = bounds_[atom];
  if (value ? !known.can : known.must) consistent_ = false;
  if (!consistent_ || assumed_[atom]) return consistent_;
  assumed_[atom] = true;
  assumptions_.push_back(atom);
  change(atom, {value, value});
  if (atom < game_.fluents.size()) return assume_group(atom, value);
  if (atom < game_.first_derived || component_[atom] > 0) return true;
  const auto first = game_.rules_begin(atom), last = game_.rules_end(atom);
  if (value) return assume_common(first, last);
  for (auto rule = first; rule < last; ++rule) {
    const auto body = game_.body(rule);
    if (body.size() == 1) assume(body[0].atom(), body[0].negated());
  }
  return consistent_;
}

// One of the rules holds: so do the literals of all that can hold.
bool ThreeValued::assume_common(ground::RuleIndex first, ground::RuleIndex last) {
  std::optional<std::vector<Literal>> common;
  for (auto rule = first; rule < last; ++rule) {
    const auto body = game_.body(rule);
    const bool can = std::all_of(body.begin(), body.end(), [&](Literal literal) {
      return of_literal(literal, bounds_[literal.atom()]).can;
    });
    if (!can) continue;
    if (!common) {
      common.emplace(body.begin(), body.end());
      continue;
    }
    std::erase_if(*common, [&](Literal literal) {
      return std::find(body.begin(), body.end(), literal) == body.end();
    });
  }
  if (!common) return consistent_ = false;
  for (const Literal literal : *common) assume(literal.atom(), !literal.negated());
  return consistent_;
}

bool ThreeValued::assume_body(ground::RuleIndex rule) {
  for (const Literal literal : game_.body(rule)) assume(literal.atom(), !literal.negated());
  return consistent_;
}

bool ThreeValued::assume_group(Atom atom, bool value) {
  const std::size_t g = group_of_[atom];
  if (g == no_group) return true;
  std::optional<Atom> open;
  std::size_t count = 0;
  for (const Atom other : groups_.groups[g].fluents) {
    if (value && other != atom) assume(other, false);
    if (!bounds_[other].can) continue;
    open = other;
    ++count;
  }
  if (value || !groups_.groups[g].exactly_one) return consistent_;
  if (count == 0) return consistent_ = false;
  return count == 1 ? assume(*open, true) : consistent_;
}

template <class BoundsOf>
Bounds ThreeValued::of_rules(Atom atom, BoundsOf bounds_of) const {
  Bounds result{false, false};
  for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
    Bounds body{true, true};
    for (const Literal literal : game_.body(rule)) {
      const Bounds each = of_literal(literal, bounds_of(literal.atom()));
      body = {body.can && each.can, body.must && each.must};
      if (!body.can) break;
    }
    result = {result.can || body.can, result.must || body.must};
    if (result.must) return result;
  }
  return result;
}

// Atoms below `last`. What was assumed stays.
void ThreeValued::evaluate(Atom last) {
  while (!queue_.empty() && queue_.top() < last) {
    const Atom atom = queue_.top();
    queue_.pop();
    scheduled_[atom] = false;
    ++steps_;
    if (component_[atom] > 0) {
      evaluate_component(game_.recursive[component_[atom] - 1]);
    } else if (!assumed_[atom]) {
      change(atom, of_rules(atom, [&](Atom other) { return bounds_[other]; }));
    }
  }
}

void ThreeValued::evaluate_component(const ground::Game::Component& component) {
  std::vector<Bounds> found(component.last - component.first, Bounds{false, false});
  const auto bounds_of = [&](Atom other) {
    const bool inside = other >= component.first && other < component.last;
    return inside ? found[other - component.first] : bounds_[other];
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Atom atom = component.first; atom < component.last; ++atom) {
      Bounds& known = found[atom - component.first];
      const Bounds now = of_rules(atom, bounds_of);
      changed = changed || !(now == known);
      known = now;
    }
    steps_ += found.size();
  }
  for (Atom atom = component.first; atom < component.last; ++atom) {
    if (!assumed_[atom]) change(atom, found[atom - component.first]);
  }
  // The changes inside have scheduled the component itself.
  if (scheduled_[component.first] && !queue_.empty() && queue_.top() == component.first) {
    queue_.pop();
    scheduled_[component.first] = false;
  }
}

Bounds ThreeValued::where(Atom fluent, bool value, Atom atom) {
  local_steps_ = 0;
  const Bounds result = local(fluent, value, atom, local_levels);
  steps_ += local_steps_ + 1;
  return result;
}

Bounds ThreeValued::local(Atom fluent, bool value, Atom atom, int depth) {
  if (atom == fluent) return {value, value};
  const Bounds known = bounds_[atom];
  if (known.can == known.must) return known;
  if (atom < game_.fluents.size()) {
    const bool excluded =
        value && group_of_[atom] != no_group && group_of_[atom] == group_of_[fluent];
    return excluded ? Bounds{false, false} : known;
  }
  if (atom < game_.first_derived || component_[atom] > 0 || depth == 0) return known;
  if (++local_steps_ > max_local_steps) return known;
  return of_rules(atom, [&](Atom other) { return local(fluent, value, other, depth - 1); });
}

std::vector<Atom> ThreeValued::touched() const {
  if (how_ == Reevaluation::everything) {
    std::vector<Atom> all(game_.atoms);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<bool> seen(game_.atoms, false);
  std::vector<Atom> result;
  const auto add = [&](Atom atom) {
    if (!seen[atom]) result.push_back(atom);
    seen[atom] = true;
  };
  for (const Atom atom : changed_) add(atom);
  std::size_t first = 0;
  for (int level = 0; level < local_levels; ++level) {
    const std::size_t last = result.size();
    for (; first < last; ++first) {
      const Atom atom = result[first];
      for (std::size_t i = first_dependent_[atom]; i < first_dependent_[atom + 1]; ++i) {
        add(dependents_[i]);
      }
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace zermelo::translate::toss

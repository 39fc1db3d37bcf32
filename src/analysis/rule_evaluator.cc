#include "analysis/rule_evaluator.h"

#include <algorithm>

namespace zermelo::analysis {

using ground::Atom;

RuleEvaluator::RuleEvaluator(const ground::Game& game, const std::vector<Atom>& roots,
                             const std::function<bool(Atom)>& is_given)
    : game_(game) {
  std::vector<bool> reached(game.atoms);
  std::vector<Atom> open;
  const auto reach = [&](Atom atom) {
    if (reached[atom]) return;
    reached[atom] = true;
    open.push_back(atom);
  };
  for (const Atom root : roots) reach(root);
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    if (atom < game.first_derived || is_given(atom)) {
      given_.push_back(atom);
      continue;
    }
    derived_.push_back(atom);
    ++size_;
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      for (const ground::Literal literal : game.body(rule)) reach(literal.atom());
      size_ += game.body(rule).size();
    }
  }
  std::sort(given_.begin(), given_.end());
  std::sort(derived_.begin(), derived_.end());
}

void RuleEvaluator::derive(AtomBounds& bounds) const {
  for (const Atom atom : derived_) bounds.set(atom, false);
  for (std::size_t from = 0; from < derived_.size();) {
    const std::size_t end = end_of_component(from);
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = from; i < end; ++i) changed |= derive(derived_[i], bounds);
      if (end - from == 1) break;
    }
    from = end;
  }
}

// Whether anything changed.
bool RuleEvaluator::derive(Atom atom, AtomBounds& bounds) const {
  bool surely = bounds.surely[atom] != 0, possibly = bounds.possibly[atom] != 0;
  for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom) && !surely; ++rule) {
    bool body_surely = true, body_possibly = true;
    for (const ground::Literal literal : game_.body(rule)) {
      const Atom a = literal.atom();
      body_surely &= literal.negated() ? bounds.possibly[a] == 0 : bounds.surely[a] != 0;
      body_possibly = literal.negated() ? bounds.surely[a] == 0 : bounds.possibly[a] != 0;
      if (!body_possibly) break;
    }
    if (!body_possibly) continue;
    surely |= body_surely;
    possibly = true;
  }
  const bool changed =
      surely != (bounds.surely[atom] != 0) || possibly != (bounds.possibly[atom] != 0);
  bounds.surely[atom] = surely;
  bounds.possibly[atom] = possibly;
  return changed;
}

std::size_t RuleEvaluator::end_of_component(std::size_t from) const {
  for (const ground::Game::Component& component : game_.recursive) {
    if (derived_[from] < component.first || derived_[from] >= component.last) continue;
    while (from < derived_.size() && derived_[from] < component.last) ++from;
    return from;
  }
  return from + 1;
}

}  // namespace zermelo::analysis

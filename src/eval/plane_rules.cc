#include "eval/plane_rules.h"

#include <algorithm>
#include <cassert>

namespace zermelo::eval {
namespace {

using ground::Atom;

// The atoms that the roots depend on, ascending.
std::vector<Atom> atoms_below(const ground::Game& game, const std::vector<Atom>& roots) {
  std::vector<bool> reached(game.atoms);
  std::vector<Atom> found;
  const auto reach = [&](Atom atom) {
    if (reached[atom]) return;
    reached[atom] = true;
    found.push_back(atom);
  };
  for (const Atom root : roots) reach(root);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] < game.first_derived) continue;
    for (auto rule = game.rules_begin(found[i]); rule < game.rules_end(found[i]); ++rule) {
      for (const ground::Literal literal : game.body(rule)) reach(literal.atom());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

PlaneRules::PlaneRules(const ground::Game& game, const std::vector<Atom>& roots,
                       const std::vector<std::uint32_t>& plane_of, std::uint32_t first_plane)
    : first_plane_(first_plane), planes_(first_plane) {
  std::vector<Atom> derived;
  for (const Atom atom : atoms_below(game, roots)) {
    assert(atom < game.fluents.size() || atom >= game.first_derived);
    if (atom < game.fluents.size()) {
      plane_of_[atom] = plane_of[atom];
    } else {
      plane_of_[atom] = static_cast<std::uint32_t>(planes_++);
      derived.push_back(atom);
    }
  }
  for (const Atom atom : derived) {
    Derived entry{static_cast<std::uint32_t>(first_literal_.size()), 0,
                  static_cast<std::uint32_t>(derived_.size() + 1), true};
    for (const ground::Game::Component& component : game.recursive) {
      if (atom < component.first || atom >= component.last) continue;
      entry.end_of_component = static_cast<std::uint32_t>(
          std::lower_bound(derived.begin(), derived.end(), component.last) - derived.begin());
    }
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      first_literal_.push_back(static_cast<std::uint32_t>(literals_.size()));
      for (const ground::Literal literal : game.body(rule)) {
        literals_.push_back(plane_of_.at(literal.atom()) << 1 |
                            static_cast<std::uint32_t>(literal.negated()));
      }
    }
    entry.last_rule = static_cast<std::uint32_t>(first_literal_.size());
    derived_.push_back(entry);
  }
  first_literal_.push_back(static_cast<std::uint32_t>(literals_.size()));
}

void PlaneRules::keep_only(const std::vector<std::uint32_t>& planes) {
  for (Derived& derived : derived_) derived.is_needed = false;
  std::vector<std::uint32_t> open = planes;
  while (!open.empty()) {
    const std::uint32_t plane = open.back();
    open.pop_back();
    if (plane < first_plane_ || derived_[plane - first_plane_].is_needed) continue;
    Derived& derived = derived_[plane - first_plane_];
    derived.is_needed = true;
    for (auto l = first_literal_[derived.first_rule]; l < first_literal_[derived.last_rule]; ++l) {
      open.push_back(literals_[l] >> 1);
    }
  }
}

std::uint64_t PlaneRules::value(const Derived& derived, const BitPlanes& planes) const {
  std::uint64_t any = 0;
  for (std::uint32_t rule = derived.first_rule; rule < derived.last_rule; ++rule) {
    std::uint64_t all = planes.all();
    for (std::uint32_t l = first_literal_[rule]; l < first_literal_[rule + 1] && all != 0; ++l) {
      const std::uint64_t plane = planes[literals_[l] >> 1];
      all &= literals_[l] & 1 ? ~plane : plane;
    }
    any |= all;
  }
  return any;
}

void PlaneRules::derive(BitPlanes& planes) const {
  for (std::size_t from = 0; from < derived_.size();) {
    const std::size_t end = derived_[from].end_of_component;
    for (std::size_t i = from; i < end; ++i) planes[first_plane_ + i] = 0;
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = from; i < end; ++i) {
        if (!derived_[i].is_needed) continue;
        std::uint64_t& plane = planes[first_plane_ + i];
        const std::uint64_t now = value(derived_[i], planes);
        changes |= now != plane;
        plane = now;
      }
      if (end - from == 1) break;
    }
    from = end;
  }
}

}  // namespace zermelo::eval

// A set of fluents is autonomous if the next values of its members depend only on its members. The
// greatest such set is found by removing fluents that depend on anything else until there are no
// more. Dependencies are read from the rules, through any number of derived atoms, including
// recursive ones.
//
// Circuits would show slightly more, since they do not contain conditions that never hold.
#include "circuit/autonomous.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/limited_steps.h"

namespace zermelo::circuit {

namespace {

using ground::Atom;
using ground::Game;

// What the next value of a fluent depends on.
struct Support {
  std::vector<Atom> fluents;
  std::vector<Atom> derived;
};

class SupportSearch {
 public:
  SupportSearch(const Game& game, const base::Limits& limits)
      : game_(game),
        steps_(limits, "making the game's circuits"),
        seen_by_(game.atoms, ground::no_atom) {}

  // The supports of the fluents of the greatest autonomous set.
  std::map<Atom, Support> run() {
    std::map<Atom, Support> supports;
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (auto support = support_of(fluent)) supports.emplace(fluent, std::move(*support));
    }
    const auto leaves = [&](const auto& entry) {
      const std::vector<Atom>& fluents = entry.second.fluents;
      return std::any_of(fluents.begin(), fluents.end(),
                         [&](Atom fluent) { return !supports.contains(fluent); });
    };
    while (std::erase_if(supports, leaves) > 0) {
    }
    return supports;
  }

 private:
  // Returns nullopt for a fluent that depends on moves.
  std::optional<Support> support_of(Atom root) {
    const Atom next = game_.next[root];
    Support support;
    if (next == ground::no_atom) return support;
    if (next >= game_.first_after_does) return std::nullopt;
    reach(next, root);
    while (!open_.empty()) {
      const Atom atom = open_.back();
      open_.pop_back();
      if (atom >= game_.first_derived) {
        support.derived.push_back(atom);
        open_rules(atom, root);
      } else {
        support.fluents.push_back(atom);
      }
    }
    return support;
  }

  void open_rules(Atom atom, Atom root) {
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      steps_.take(1 + game_.body(rule).size());
      for (const ground::Literal literal : game_.body(rule)) reach(literal.atom(), root);
    }
  }

  void reach(Atom atom, Atom root) {
    if (seen_by_[atom] == root) return;
    seen_by_[atom] = root;
    open_.push_back(atom);
  }

  const Game& game_;
  base::LimitedSteps steps_;
  std::vector<Atom> seen_by_;  // by atom, the last fluent whose search visited it
  std::vector<Atom> open_;
};

std::vector<std::vector<Atom>> independent_parts(const std::map<Atom, Support>& supports,
                                                 std::size_t fluents) {
  std::vector<Atom> leader(fluents);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](Atom fluent) {
    while (leader[fluent] != fluent) fluent = leader[fluent] = leader[leader[fluent]];
    return fluent;
  };
  for (const auto& [fluent, support] : supports) {
    for (const Atom other : support.fluents) leader[find(fluent)] = find(other);
  }
  std::map<Atom, std::vector<Atom>> parts;
  for (const auto& [fluent, support] : supports) parts[find(fluent)].push_back(fluent);
  std::vector<std::vector<Atom>> result;
  for (auto& [first, part] : parts) result.push_back(std::move(part));
  return result;
}

}  // namespace

AutonomousFluents::AutonomousFluents(const Game& game, const base::Limits& limits) : game_(game) {
  const std::map<Atom, Support> supports = SupportSearch(game, limits).run();
  for (const auto& [fluent, support] : supports) {
    fluents_.push_back(fluent);
    derived_.insert(derived_.end(), support.derived.begin(), support.derived.end());
  }
  parts_ = independent_parts(supports, game.fluents.size());
  std::sort(derived_.begin(), derived_.end());
  derived_.erase(std::unique(derived_.begin(), derived_.end()), derived_.end());
}

std::vector<Atom> AutonomousFluents::initial() const {
  std::vector<Atom> result;
  std::set_intersection(game_.initial.begin(), game_.initial.end(), fluents_.begin(),
                        fluents_.end(), std::back_inserter(result));
  return result;
}

std::vector<Atom> AutonomousFluents::after(const std::vector<Atom>& holding) const {
  std::vector<bool> values(game_.atoms);
  for (const Atom fluent : holding) values[fluent] = true;
  derive(values);
  std::vector<Atom> result;
  for (const Atom fluent : fluents_) {
    const Atom next = game_.next[fluent];
    if (next != ground::no_atom && values[next]) result.push_back(fluent);
  }
  return result;
}

// Computes the least model of the derived atoms, in one pass unless some depend on each other.
void AutonomousFluents::derive(std::vector<bool>& values) const {
  std::size_t from = 0;
  while (from < derived_.size()) {
    const std::size_t end = end_of_component(from);
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = from; i < end; ++i) {
        if (values[derived_[i]] || !holds(derived_[i], values)) continue;
        values[derived_[i]] = true;
        changed = end - from > 1;
      }
    }
    from = end;
  }
}

std::size_t AutonomousFluents::end_of_component(std::size_t from) const {
  for (const Game::Component& component : game_.recursive) {
    if (derived_[from] < component.first || derived_[from] >= component.last) continue;
    while (from < derived_.size() && derived_[from] < component.last) ++from;
    return from;
  }
  return from + 1;
}

bool AutonomousFluents::holds(Atom atom, const std::vector<bool>& values) const {
  for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
    const auto body = game_.body(rule);
    const bool fires = std::all_of(body.begin(), body.end(), [&](ground::Literal literal) {
      return values[literal.atom()] != literal.negated();
    });
    if (fires) return true;
  }
  return false;
}

}  // namespace zermelo::circuit

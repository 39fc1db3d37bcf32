// The greatest set of fluents that depend on nothing outside is found by removing those that do
// until none is left to remove. Its values are then stepped from the initial state until they
// repeat.

#include "symbolic/clock.h"

#include <algorithm>
#include <map>
#include <utility>

namespace zermelo::symbolic {

namespace {

using ground::Atom;
using ground::Game;

// What an atom depends on, through any number of rules.
struct Support {
  std::vector<Atom> fluents;
  std::vector<Atom> derived;  // ascending
};

Support support_of(const Game& game, Atom root) {
  Support support;
  std::vector<Atom> open = {root};
  std::vector<bool> seen(game.atoms, false);
  seen[root] = true;
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    if (atom < game.first_derived) {
      support.fluents.push_back(atom);
      continue;
    }
    support.derived.push_back(atom);
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      for (const ground::Literal literal : game.body(rule)) {
        if (!seen[literal.atom()]) open.push_back(literal.atom());
        seen[literal.atom()] = true;
      }
    }
  }
  std::sort(support.derived.begin(), support.derived.end());
  return support;
}

class ClockSearch {
 public:
  explicit ClockSearch(const Game& game) : game_(game) {}

  Clock run(std::size_t most_positions) {
    find_autonomous();
    Clock clock;
    for (const auto& [fluent, support] : supports_) clock.fluents.push_back(fluent);
    collect_derived();
    std::vector<bool> values(game_.atoms, false);
    for (const Atom fluent : game_.initial) values[fluent] = supports_.contains(fluent);
    std::map<std::vector<Atom>, std::size_t> position_of;
    for (;;) {
      std::vector<Atom> showing = shown(clock, values);
      const auto [known, is_new] = position_of.try_emplace(showing, clock.positions());
      if (!is_new) {
        clock.back_to = known->second;
        return clock;
      }
      if (clock.positions() == most_positions) return {{}, {{}}, 0};
      clock.showing.push_back(std::move(showing));
      step(values);
    }
  }

 private:
  void find_autonomous() {
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      const Atom next = game_.next[fluent];
      if (next == ground::no_atom) {
        supports_[fluent] = {};
      } else if (next < game_.first_after_does) {
        supports_[fluent] = support_of(game_, next);
      }
    }
    while (std::erase_if(supports_, [&](const auto& entry) {
             const auto& fluents = entry.second.fluents;
             return std::any_of(fluents.begin(), fluents.end(),
                                [&](Atom fluent) { return !supports_.contains(fluent); });
           }) > 0) {
    }
  }

  void collect_derived() {
    for (const auto& [fluent, support] : supports_) {
      derived_.insert(derived_.end(), support.derived.begin(), support.derived.end());
    }
    std::sort(derived_.begin(), derived_.end());
    derived_.erase(std::unique(derived_.begin(), derived_.end()), derived_.end());
  }

  static std::vector<Atom> shown(const Clock& clock, const std::vector<bool>& values) {
    std::vector<Atom> result;
    for (const Atom fluent : clock.fluents) {
      if (values[fluent]) result.push_back(fluent);
    }
    return result;
  }

  // Brings the derived atoms to their least model, one pass unless some depend on each other.
  void derive(std::vector<bool>& values) const {
    for (const Atom atom : derived_) values[atom] = false;
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

  std::size_t end_of_component(std::size_t from) const {
    for (const auto& component : game_.recursive) {
      if (derived_[from] < component.first || derived_[from] >= component.last) continue;
      while (from < derived_.size() && derived_[from] < component.last) ++from;
      return from;
    }
    return from + 1;
  }

  bool holds(Atom atom, const std::vector<bool>& values) const {
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      const auto body = game_.body(rule);
      if (std::all_of(body.begin(), body.end(), [&](ground::Literal literal) {
            return values[literal.atom()] != literal.negated();
          })) {
        return true;
      }
    }
    return false;
  }

  void step(std::vector<bool>& values) const {
    derive(values);
    std::vector<std::pair<Atom, bool>> after;
    for (const auto& [fluent, support] : supports_) {
      const Atom next = game_.next[fluent];
      after.emplace_back(fluent, next != ground::no_atom && values[next]);
    }
    for (const auto& [fluent, value] : after) values[fluent] = value;
  }

  const Game& game_;
  std::map<Atom, Support> supports_;  // by fluent that runs by itself
  std::vector<Atom> derived_;         // that any of them needs, ascending
};

}  // namespace

Clock find_clock(const Game& game, std::size_t most_positions) {
  return ClockSearch(game).run(most_positions);
}

}  // namespace zermelo::symbolic

// Starts from the autonomous fluents and removes those with an influence on something else: on
// legal moves, on goals, or on a fluent that stays. A fluent that a removed one depends on has such
// an influence as well, so this repeats until nothing is left to remove.
#include "translate/sas/step_counter.h"

#include <algorithm>

namespace zermelo::translate::sas {

namespace {

using ground::Atom;
using ground::Game;
using ground::Literal;

class CounterSearch {
 public:
  explicit CounterSearch(const Game& game) : game_(game), chosen_(game.fluents.size()) {}

  StepCounter run() {
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      chosen_[f] = game_.next[f] == ground::no_atom || game_.next[f] < game_.first_after_does;
    }
    bool changed = true;
    while (changed) {
      changed = remove(support_of_outside());
      changed |= remove_readers();
    }
    StepCounter result;
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (chosen_[f]) result.fluents.push_back(f);
    }
    result.dependent = dependents();
    if (!ends_otherwise(result.dependent)) return {{}, std::vector<bool>(game_.atoms, false)};
    return result;
  }

 private:
  template <class Visit>
  void for_each_literal(Atom atom, Visit visit) const {
    if (atom < game_.first_derived || atom == ground::no_atom) return;
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      for (const Literal literal : game_.body(rule)) visit(literal.atom());
    }
  }

  // All atoms that some atoms depend on, themselves included.
  std::vector<bool> support(std::vector<Atom> open) const {
    std::vector<bool> seen(game_.atoms, false);
    std::erase(open, ground::no_atom);
    for (const Atom atom : open) seen[atom] = true;
    while (!open.empty()) {
      const Atom atom = open.back();
      open.pop_back();
      for_each_literal(atom, [&](Atom read) {
        if (!seen[read]) open.push_back(read);
        seen[read] = true;
      });
    }
    return seen;
  }

  // What legal moves, goals and the fluents not chosen depend on.
  std::vector<bool> support_of_outside() const {
    std::vector<Atom> roots = game_.legal;
    for (const auto& goals : game_.goals) {
      for (const Game::Goal& goal : goals) roots.push_back(goal.atom);
    }
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (!chosen_[f]) roots.push_back(game_.next[f]);
    }
    return support(std::move(roots));
  }

  bool remove(const std::vector<bool>& needed) {
    bool changed = false;
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (!chosen_[f] || !needed[f]) continue;
      chosen_[f] = false;
      changed = true;
    }
    return changed;
  }

  // Removes chosen fluents whose next value depends on one that is not.
  bool remove_readers() {
    bool changed = false;
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (!chosen_[f]) continue;
      const std::vector<bool> read = support({game_.next[f]});
      for (Atom g = 0; g < game_.fluents.size() && chosen_[f]; ++g) {
        if (!read[g] || chosen_[g]) continue;
        chosen_[f] = false;
        changed = true;
      }
    }
    return changed;
  }

  std::vector<bool> dependents() const {
    std::vector<bool> result(game_.atoms, false);
    for (Atom f = 0; f < game_.fluents.size(); ++f) result[f] = chosen_[f];
    for (bool changed = true; changed;) {
      changed = false;
      for (Atom atom = game_.first_derived; atom < game_.atoms; ++atom) {
        if (result[atom]) continue;
        bool reads = false;
        for_each_literal(atom, [&](Atom read) { reads |= result[read]; });
        result[atom] = reads;
        changed |= reads;
      }
    }
    return result;
  }

  bool ends_otherwise(const std::vector<bool>& dependent) const {
    if (game_.terminal == ground::no_atom || game_.terminal < game_.first_derived) return false;
    for (auto rule = game_.rules_begin(game_.terminal); rule < game_.rules_end(game_.terminal);
         ++rule) {
      const auto body = game_.body(rule);
      if (std::none_of(body.begin(), body.end(),
                       [&](Literal literal) { return dependent[literal.atom()]; })) {
        return true;
      }
    }
    return false;
  }

  const Game& game_;
  std::vector<bool> chosen_;  // by fluent
};

}  // namespace

StepCounter find_step_counter(const Game& game) { return CounterSearch(game).run(); }

}  // namespace zermelo::translate::sas

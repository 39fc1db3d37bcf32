// Definition 5 of "Factoring General Games": the call graphs of `goal` and `terminal` are walked
// from the roots until an atom is met that depends on the fluents of one subgame only. On ground
// rules every call graph is ground, so that the paper's condition on variables always holds. Atoms
// of several subgames that depend on each other recursively are no obstacle either: the walk visits
// every atom once and ends at fluents at the latest.
//
// Atoms that depend on constants only are neither concepts nor walked through.
#include "analysis/concepts.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace zermelo::analysis {

using ground::Atom;

namespace {

constexpr std::uint32_t of_none = ~std::uint32_t{0};
constexpr std::uint32_t of_several = of_none - 1;

std::uint32_t joined(std::uint32_t a, std::uint32_t b) {
  if (a == of_none || a == b) return b;
  return b == of_none ? a : of_several;
}

// By atom that depends on the state alone: the subgame it depends on.
class SubgameOfAtom {
 public:
  SubgameOfAtom(const ground::Game& game, const Decomposition& decomposition)
      : game_(game), subgame_of_(game.atoms, of_none) {
    for (std::uint32_t i = 0; i < decomposition.subgames.size(); ++i) {
      for (const Atom f : decomposition.subgames[i].fluents) subgame_of_[f] = i;
    }
    bool changed = true;
    while (changed) {  // once more for recursive rules only
      changed = false;
      for (Atom atom = game.first_derived; atom < game.first_after_does; ++atom) {
        changed |= update(atom);
      }
      changed = changed && !game.recursive.empty();
    }
  }

  std::uint32_t operator[](Atom atom) const { return subgame_of_[atom]; }

 private:
  bool update(Atom atom) {
    std::uint32_t subgame = subgame_of_[atom];
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      for (const ground::Literal literal : game_.body(rule)) {
        subgame = joined(subgame, subgame_of_[literal.atom()]);
      }
    }
    const bool changed = subgame != subgame_of_[atom];
    subgame_of_[atom] = subgame;
    return changed;
  }

  const ground::Game& game_;
  std::vector<std::uint32_t> subgame_of_;
};

// The concepts below the roots.
std::vector<Atom> concepts_below(const ground::Game& game, const SubgameOfAtom& subgame_of,
                                 std::vector<Atom> open) {
  std::vector<Atom> found;
  std::vector<bool> reached(game.atoms);
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    if (reached[atom] || subgame_of[atom] == of_none) continue;
    reached[atom] = true;
    if (subgame_of[atom] != of_several) {
      found.push_back(atom);
      continue;
    }
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      for (const ground::Literal literal : game.body(rule)) open.push_back(literal.atom());
    }
  }
  return found;
}

}  // namespace

std::vector<LocalConcept> find_concepts(const ground::Game& game,
                                        const Decomposition& decomposition) {
  const SubgameOfAtom subgame_of(game, decomposition);
  std::map<std::pair<std::uint32_t, Atom>, LocalConcept> found;
  const auto concept_of = [&](Atom atom) -> LocalConcept& {
    return found.try_emplace({subgame_of[atom], atom}, LocalConcept{atom, subgame_of[atom]})
        .first->second;
  };
  if (game.terminal != ground::no_atom) {
    for (const Atom atom : concepts_below(game, subgame_of, {game.terminal})) {
      concept_of(atom).is_of_terminal = true;
    }
  }
  std::vector<Atom> goals;
  for (const auto& of_role : game.goals) {
    for (const ground::Game::Goal& goal : of_role) goals.push_back(goal.atom);
  }
  for (const Atom atom : concepts_below(game, subgame_of, std::move(goals))) {
    concept_of(atom).is_of_goal = true;
  }
  std::vector<LocalConcept> concepts;
  for (const auto& [key, local] : found) concepts.push_back(local);
  return concepts;
}

}  // namespace zermelo::analysis

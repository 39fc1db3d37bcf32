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

std::uint32_t joined_subgames(std::uint32_t a, std::uint32_t b) {
  if (a == of_no_subgame || a == b) return b;
  return b == of_no_subgame ? a : of_several_subgames;
}

bool update_subgame(const ground::Game& game, Atom atom, std::vector<std::uint32_t>& subgame_of) {
  std::uint32_t subgame = subgame_of[atom];
  for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
    for (const ground::Literal literal : game.body(rule)) {
      subgame = joined_subgames(subgame, subgame_of[literal.atom()]);
    }
  }
  const bool changed = subgame != subgame_of[atom];
  subgame_of[atom] = subgame;
  return changed;
}

// The concepts below the roots.
std::vector<Atom> concepts_below(const ground::Game& game,
                                 const std::vector<std::uint32_t>& subgame_of,
                                 std::vector<Atom> open) {
  std::vector<Atom> found;
  std::vector<bool> reached(game.atoms);
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    if (reached[atom] || subgame_of[atom] == of_no_subgame) continue;
    reached[atom] = true;
    if (subgame_of[atom] != of_several_subgames) {
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

std::vector<std::uint32_t> subgames_of_atoms(const ground::Game& game,
                                             const Decomposition& decomposition) {
  std::vector<std::uint32_t> subgame_of(game.atoms, of_no_subgame);
  for (std::uint32_t i = 0; i < decomposition.subgames.size(); ++i) {
    for (const Atom f : decomposition.subgames[i].fluents) subgame_of[f] = i;
  }
  bool changed = true;
  while (changed) {  // more than once for recursive rules only
    changed = false;
    for (Atom atom = game.first_derived; atom < game.first_after_does; ++atom) {
      changed |= update_subgame(game, atom, subgame_of);
    }
    changed = changed && !game.recursive.empty();
  }
  return subgame_of;
}

std::vector<LocalConcept> find_concepts(const ground::Game& game,
                                        const Decomposition& decomposition) {
  const std::vector<std::uint32_t> subgame_of = subgames_of_atoms(game, decomposition);
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

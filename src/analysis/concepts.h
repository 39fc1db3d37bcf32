// Local concepts: the conditions on single subgames that ends and goals are composed of.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/subgames.h"
#include "ground/game.h"

namespace zermelo::analysis {

// A condition of `terminal`, of a goal, or of both, that depends on the fluents of one subgame.
struct LocalConcept {
  ground::Atom atom;  // a fluent or a derived atom
  std::uint32_t subgame;
  bool is_of_terminal = false;
  bool is_of_goal = false;
};

// Returns the concepts of a decomposition, sorted by subgame and atom. Ends and goals are
// determined by their values and by constants.
std::vector<LocalConcept> find_concepts(const ground::Game& game,
                                        const Decomposition& decomposition);

}  // namespace zermelo::analysis

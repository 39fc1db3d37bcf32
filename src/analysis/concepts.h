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

// The subgame whose fluents an atom depends on, by atom that depends on the state alone.
inline constexpr std::uint32_t of_no_subgame = ~std::uint32_t{0};
inline constexpr std::uint32_t of_several_subgames = of_no_subgame - 1;
std::vector<std::uint32_t> subgames_of_atoms(const ground::Game& game,
                                             const Decomposition& decomposition);

// Returns the concepts of a decomposition, sorted by subgame and atom. Ends and goals are
// determined by their values and by constants.
std::vector<LocalConcept> find_concepts(const ground::Game& game,
                                        const Decomposition& decomposition);

}  // namespace zermelo::analysis

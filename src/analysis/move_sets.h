// Derived atoms that only state that one of some moves was made.
//
// Such an atom is a set of moves. Every role makes exactly one move, so "one of these" is
// equivalent to "none of the role's others". The smaller of the two sets is used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/proof_limits.h"
#include "ground/game.h"

namespace zermelo::analysis {

class MoveSets {
 public:
  // At a limit, the remaining atoms are treated as not being move sets.
  explicit MoveSets(const ground::Game& game, ProofLimits limits = {});

  // Returns the moves, ascending, of which one must be made for the atom to hold; nullopt if the
  // atom is not a move set.
  std::optional<std::span<const std::uint32_t>> moves(ground::Atom atom) const;

 private:
  void collect(ground::Atom atom);

  const ground::Game& game_;
  std::vector<std::uint32_t> all_moves_;              // 0, 1, 2, ...
  std::vector<std::vector<std::uint32_t>> moves_of_;  // by atom after the moves; empty: none
  std::size_t stored_ = 0;
};

// Part of a rule set: the rules of one atom whose bodies are `rest` and one of `moves`.
struct FactoredRules {
  std::vector<ground::Literal> rest;
  std::vector<std::uint32_t> moves;  // ascending; empty: the rule requires no move
};

// Returns the rules of a derived atom; rules that differ only in the required move are merged.
std::vector<FactoredRules> factor_rules(const ground::Game& game, const MoveSets& sets,
                                        ground::Atom atom);

}  // namespace zermelo::analysis

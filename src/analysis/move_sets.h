// Derived atoms that only say that one of some moves was made.
//
// Such an atom is a set of moves, and since every role makes exactly one move, "one of these" is
// the same as "none of the role's others": the smaller of the two sets is the one to work with.
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
  // At a limit the atoms that are left count as saying something else.
  explicit MoveSets(const ground::Game& game, ProofLimits limits = {});

  // The moves, ascending, of which one must be made for the atom to hold; nothing when the atom is
  // no move and says something else as well.
  std::optional<std::span<const std::uint32_t>> moves(ground::Atom atom) const;

 private:
  void collect(ground::Atom atom);

  const ground::Game& game_;
  std::vector<std::uint32_t> all_moves_;              // 0, 1, 2, ...
  std::vector<std::vector<std::uint32_t>> moves_of_;  // by atom after the moves; empty: no set
  std::size_t stored_ = 0;
};

// A part of a rule set: the rules of one atom whose bodies are `rest` and one of `moves`.
struct FactoredRules {
  std::vector<ground::Literal> rest;
  std::vector<std::uint32_t> moves;  // ascending; empty: the rule does not ask for a move
};

// The rules of a derived atom, those put together that differ only in the move they ask for.
std::vector<FactoredRules> factor_rules(const ground::Game& game, const MoveSets& sets,
                                        ground::Atom atom);

}  // namespace zermelo::analysis

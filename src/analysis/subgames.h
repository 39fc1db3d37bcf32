// Subgames: parts of a game that do not influence each other, except through the ends and goals.
//
//   const auto found = find_subgames(compiled, {.grain = Grain::symbol});
//   for (const Subgame& subgame : found->subgames) ...
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "circuit/compiled_game.h"

namespace zermelo::analysis {

// What is never split: all fluents, and all moves, of one name and arity; or a ground fluent or
// move.
enum class Grain : std::uint8_t { symbol, ground };

struct Subgame {
  std::vector<ground::Atom> fluents;  // ascending
  std::vector<std::uint32_t> moves;   // ascending
  // The fluents run by themselves, whatever the moves and the other fluents are.
  bool action_independent = false;
  // Only for action-independent ones: other fluents or the legality of moves depend on them.
  bool is_read = false;
  // A step without its moves keeps its fluents.
  bool is_kept = true;
};

struct Decomposition {
  Grain grain = Grain::symbol;
  // One move may act in several subgames at once. Otherwise every move belongs to one of them, or
  // to none if it has neither effects nor preconditions.
  bool is_parallel = false;
  // Sorted by their first fluent, action-independent ones last. Together they have all fluents that
  // are not constant.
  std::vector<Subgame> subgames;
  std::vector<ground::Atom> constants;     // fluents that never change
  std::vector<std::uint32_t> other_moves;  // moves of no subgame

  // The number of subgames that are not action-independent.
  std::size_t parts() const;
  bool is_decomposed() const { return parts() > 1; }
};

struct SubgameOptions {
  Grain grain = Grain::symbol;
  base::Limits limits = {};
};

// Returns the finest decomposition that the rules show. In every reachable state, the legality of a
// move and the next values of a subgame's fluents depend only on the subgame's fluents, the
// action-independent ones, and the moves made in it. Fails at a limit.
base::Result<Decomposition> find_subgames(const circuit::CompiledGame& compiled,
                                          const SubgameOptions& options = {});

}  // namespace zermelo::analysis

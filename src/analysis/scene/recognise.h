// The recognisers of a scene, one per kind of thing. Each looks at the symbols that no earlier one
// has claimed, adds boards and placements to the model, and marks the symbols as claimed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/scene/hints.h"
#include "analysis/scene/layout.h"
#include "analysis/scene/model.h"
#include "analysis/scene/relations.h"
#include "analysis/scene/symbols.h"

namespace zermelo::analysis::scene {

struct Recognition {
  std::vector<Symbol> symbols;
  std::vector<Relation> relations;
  RuleHints hints;
  std::set<std::string> roles;
  std::vector<Term> moves;
  // Whether the symbols have every fluent that can hold. If not, they have those of some states.
  bool has_all_fluents = true;

  std::vector<bool> claimed = {};  // by symbol
  SceneModel model = {};
  std::uint32_t groups = 0;  // of boards so far

  bool is_role(const std::set<std::string>& values) const { return is_subset(values, roles); }
  void place(const Symbol& symbol, std::size_t fluent, SceneModel::Placement placement) {
    model.placements.emplace(symbol.fluents[fluent], std::move(placement));
  }
};

// Whose turn it is: fluents of a role of which at most one holds, named like "control" or used by
// the rules for legal moves.
void recognise_turns(Recognition& recognition);
// Things on things: blocks, discs.
void recognise_stacks(Recognition& recognition);
// One fluent that lists things in order, such as a stack of pancakes.
void recognise_sequences(Recognition& recognition);
// Boards with two coordinates, alone, in layers or nested in each other.
void recognise_grids(Recognition& recognition);
// Lines between the points of a grid and walls between its cells, given by two pairs of
// coordinates.
void recognise_edges(Recognition& recognition);
// Whether the first four arguments of a symbol are always two neighbouring points; for walls, in
// all sampled states.
bool is_edge(const Recognition& recognition, std::size_t symbol);
// Places with a single name: rows of pits, heaps, stars, mazes.
void recognise_places(Recognition& recognition);
// Positions whose two coordinates are separate fluents.
void recognise_axes(Recognition& recognition);
// Numbers and words that the game keeps, and what players have in hand.
void recognise_counters(Recognition& recognition);
// Which arguments of moves name cells.
void recognise_moves(Recognition& recognition);

// Common words for a cell without content. `values` are all contents of the board.
bool is_blank(const std::string& content, const std::set<std::string>& values,
              const std::set<std::string>& roles);

// Adds the board that has all its cells and returns its number.
std::uint32_t add_board(SceneModel& model, Picture::Board board);

// Places by neighbours, for boards that are no grids. Each place is a tuple of constants.
struct Neighbourhood {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;  // a < b, sorted, without duplicates
  std::string relation;                                        // its name; empty: several
};
// What the static relations say about neighbours among the places, one per relation and choice of
// its arguments, and all together, for games with a relation per direction. Relations that join
// fewer than most places, or nearly all with all, and chains in the order of the places are left
// out.
std::vector<Neighbourhood> neighbourhoods(const std::vector<Words>& places,
                                          const std::vector<Relation>& relations);
// The one that leaves the fewest parts unconnected, then the one with the fewest links, which are
// the nearest ones; no links if there is none.
Neighbourhood find_neighbours(const std::vector<Words>& places,
                              const std::vector<Relation>& relations);
// Sets the coordinates of all cells, and the width and height of the board.
void set_points(Picture::Board& board, const std::vector<Point>& points);
// Sets the shape, the coordinates of all cells and the links of a board from its neighbours. `line`
// as in layout.h.
void lay_out(Picture::Board& board, const Neighbourhood& neighbours,
             const std::vector<std::uint32_t>& line);

}  // namespace zermelo::analysis::scene

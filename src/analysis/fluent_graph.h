// Fluent graphs: lower bounds for the number of moves until a fluent holds.
//
//   const auto graph = make_fluent_graph(game, FluentGraphOrder::fewest_edges, limits);
//   const FluentDistances distances(game, {&*graph, 1}, target);
//   distances.to_target(state);   // never more than the moves that are needed
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bit_set.h"
#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"
#include "machine/machine.h"

namespace zermelo::analysis {

// What is preferred when a source of an edge is chosen among several preconditions.
enum class FluentGraphOrder : std::uint8_t {
  fewest_edges,  // the fewest new edges, then the most similar fluent: the order of the paper
  latest,        // the fluent that takes most moves from some states, then as above
};

// If a fluent holds after a move, one of its sources held before it, or `always_a_source`.
struct FluentGraph {
  static constexpr ground::Atom always_a_source = ground::no_atom;

  // By fluent, ascending. None for a fluent that holds after no move.
  std::vector<std::vector<ground::Atom>> sources;
};

// Fails at a limit. `states` are those from which the order `latest` prefers long distances; none:
// the initial state.
base::Result<FluentGraph> make_fluent_graph(const ground::Game& game, FluentGraphOrder order,
                                            const base::Limits& limits = {},
                                            std::span<const base::BitSet> states = {});
// The graph in the paper's order, and those in the order `latest` from the initial state and from
// states of random games.
base::Result<std::vector<FluentGraph>> make_fluent_graphs(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits = {});

// The number of equal constants at equal places in two ground terms.
std::size_t similarity(const gdl::Term& a, const gdl::Term& b);

// The distances to one fluent: from each fluent, the largest of those in some graphs.
class FluentDistances {
 public:
  static constexpr std::uint16_t unreachable = 0xffff;

  // `graphs` has at least one graph of the game.
  FluentDistances(std::span<const FluentGraph> graphs, ground::Atom target);

  // A lower bound for the number of moves from the state until the target holds; `unreachable` if
  // it never holds.
  std::uint16_t to_target(const base::BitSet& state) const;
  // The same if only this fluent holds, and if none holds.
  std::uint16_t from(std::size_t fluent) const;
  std::uint16_t from_nothing() const;
  // The largest distance that is not `unreachable`.
  std::uint16_t longest() const { return longest_; }

 private:
  struct InGraph {
    std::vector<std::uint16_t> from;  // by fluent
    std::uint16_t from_nothing = unreachable;
  };

  std::vector<InGraph> graphs_;
  std::uint16_t longest_ = 0;
};

}  // namespace zermelo::analysis

// The selection phase: which move a role tries next in a node.
#pragma once

#include <optional>
#include <span>

#include "base/random.h"
#include "search/tree.h"

namespace zermelo::search {

constexpr double usual_sufficiency = 0.6;  // alpha, as in the paper

struct SelectionRule {
  double exploration = 0.4;           // C
  std::optional<double> sufficiency;  // the threshold alpha
  std::optional<double> rave;         // playouts for which both estimates count alike
  eval::OpponentModel model = eval::OpponentModel::own;  // the order of proved outcomes
};

// C sqrt(ln N(s)), the part of equation 1 that all moves of a node have in common.
double spread(double exploration, double node_samples);
// The upper bound of equation 1 for a move with an estimate after so many samples.
double upper_bound(double estimate, double spread, double samples);

// Whether equation 2 unplugs exploration: an estimate is above the threshold.
bool is_sufficient(std::span<const MoveStatistics> moves, const SelectionRule& rule);

// Q(s, a) as selection sees it: playouts in flight, or a share of them, are counted as lost, RAVE
// is mixed in.
double estimate(const MoveStatistics& move, const SelectionRule& rule, double in_flight = 1);

// A move to look into, by its place. Where a proved move promises more, there is nothing to learn
// from that one: `known` is what it is worth, which is what counts for the nodes above, while the
// best of the others is looked into.
struct Selected {
  std::size_t place = 0;
  const Worth* known = nullptr;
};

// `samples` are those of the node, in flight or not; `in_flight` is the share of those in flight
// that selection sees.
Selected select(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                const SelectionRule& rule, base::Random& random, double in_flight = 1);

// For a role that decides at the same time as others.
Selected select_at_once(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                        const SelectionRule& rule, base::Random& random);

// The place of the move to play: the best proved one where no other promises more, else the one
// with the highest lower bound. Of equally good proved ones, the one that ends the game soon if the
// role hurries.
std::size_t select_final(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                         const SelectionRule& rule);

}  // namespace zermelo::search

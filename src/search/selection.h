// The selection phase of MCTS: which move a role tries next in a node.
#pragma once

#include <optional>
#include <span>

#include "base/random.h"
#include "search/tree.h"

namespace zermelo::search {

constexpr double default_sufficiency = 0.6;  // alpha, as in the paper

struct SelectionRule {
  double exploration = 0.4;           // C
  std::optional<double> sufficiency;  // the threshold alpha
  std::optional<double> rave;  // number of playouts at which both estimates have equal weight
  eval::OpponentModel model = eval::OpponentModel::own;  // order of proved outcomes
};

// Returns C sqrt(ln N(s)), the factor of equation 1 that all moves of a node share.
double spread(double exploration, double node_samples);
// Returns the upper bound of equation 1 for a move with this estimate and number of samples.
double upper_bound(double estimate, double spread, double samples);

// Returns whether equation 2 disables exploration: some estimate is above the threshold.
bool is_sufficient(std::span<const MoveStatistics> moves, const SelectionRule& rule);

// Returns Q(s, a) as used by selection: playouts in flight, or a share of them, count as lost, and
// RAVE is mixed in.
double estimate(const MoveStatistics& move, const SelectionRule& rule, double in_flight = 1);

// The index of the move to explore. If a proved move is the best, exploring it is useless: `known`
// is then its value, which counts for the nodes above, and the index is the best of the other
// moves.
struct Selected {
  std::size_t index = 0;
  const Worth* known = nullptr;
};

// Selects a move. `samples` is the number of samples of the node including those in flight;
// `in_flight` is the share of the playouts in flight that selection takes into account.
Selected select(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                const SelectionRule& rule, base::Random& random, double in_flight = 1);

// Like select, for a role that decides at the same time as others.
Selected select_at_once(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                        const SelectionRule& rule, base::Random& random);

// Returns the index of the move to play: the best proved move if no other promises more, else the
// one with the highest lower bound. Among equally good proved moves, returns the one that ends the
// game soonest if the role hurries.
std::size_t select_final(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                         const SelectionRule& rule);

}  // namespace zermelo::search

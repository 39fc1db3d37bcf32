// Candidates from the structure of names and rules, compared by small diagrams, then sifting.
//
// A layer must remember about the variables above a level mostly what goals and termination depend
// on, and how moves connect variables. So the cost of an order is the number of nodes of the goal
// and terminal diagrams, times the square root of the mean distance between the first and the last
// variable that a move touches. On Connect Four, the first factor alone rates rows and columns
// equally (the goals do not depend on gravity). The product chooses the order with the fewest nodes
// in all layers among those that were counted: all candidates on 5x5, three on 6x5 and 7x4. It also
// finds when columns from left to right beat columns from the centre outwards: 7x4 has 3.8 against
// 5.5 million nodes.
//
// Candidates are tried by increasing distance, each until its cost exceeds the best one. If the
// first ones are so large that they use up the budget, all are tried again with a smaller limit
// each: one may be small because it tests the position of a piece before what it can meet. Sifting
// then moves blocks of neighbours that share an argument, and single variables, to better levels
// (Rudell, "Dynamic Variable Ordering for Ordered Binary Decision Diagrams", ICCAD 1993; Panda and
// Somenzi, "Who Are the Variables in Your Neighbourhood", ICCAD 1995), but rebuilds the diagrams
// for every position: they are small, or the budget ends it soon.

#include "symbolic/variable_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "symbolic/variable_order_candidates.h"

namespace zermelo::symbolic {
namespace {

class Search {
 public:
  Search(const OrderProblem& problem, const OrderBudget& budget)
      : problem_(problem), budget_(budget), largest_(budget.largest) {
    best_.cost = unknown;
  }

  VariableOrder run() {
    const std::vector<OrderCandidate> candidates = shortest_first();
    left_ = budget_.candidates;
    for (const OrderCandidate& candidate : candidates) {
      if (best_.evaluations == 0 || left_ > 0) improve(candidate.order, candidate.origin);
    }
    if (!found_ && left_ == 0 && !budget_.limits.exceeded()) try_small(candidates);
    if (!found_) return shortest(candidates.front());
    left_ = budget_.sifting;
    if (work_of_best_ * least_sifts <= left_) sift();
    return std::move(best_);
  }

 private:
  double factor(const Order& order) const { return std::sqrt(mean_span(problem_.moves, order)); }

  // The candidates by distance; after a limit, distances are not computed, and those come last.
  std::vector<OrderCandidate> shortest_first() const {
    std::vector<OrderCandidate> candidates = order_candidates(problem_, budget_.limits);
    std::vector<std::pair<double, std::size_t>> places;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const bool in_time = !budget_.limits.exceeded();
      places.emplace_back(in_time ? factor(candidates[c].order) : unknown, c);
    }
    std::sort(places.begin(), places.end());
    std::vector<OrderCandidate> sorted;
    for (const auto& [distance, c] : places) sorted.push_back(std::move(candidates[c]));
    return sorted;
  }

  void try_small(const std::vector<OrderCandidate>& candidates) {
    largest_ = budget_.largest / (candidates.size() + 1);
    left_ = budget_.candidates;
    for (const OrderCandidate& candidate : candidates) {
      if (left_ > 0) improve(candidate.order, candidate.origin);
    }
    largest_ = budget_.largest;
  }

  // The result if no order has diagrams small enough to compare.
  VariableOrder shortest(const OrderCandidate& candidate) const {
    return {candidate.order, candidate.origin + " (diagrams too large to compare)",
            factor(candidate.order), best_.evaluations};
  }

  // Replaces the best order if this one is better.
  bool improve(const Order& order, const std::string& origin) {
    const double distance = factor(order);
    const double most = std::min(static_cast<double>(largest_), std::floor(best_.cost / distance));
    const OrderSize size = problem_.size(order, static_cast<std::size_t>(most));
    ++best_.evaluations;
    left_ -= budget_.limits.exceeded() ? left_ : std::min(left_, size.work);
    if (!size.nodes) return false;
    const double cost = static_cast<double>(std::max<std::size_t>(1, *size.nodes)) * distance;
    if (cost >= best_.cost) return false;
    found_ = true;
    best_.variables = order;
    best_.cost = cost;
    best_.origin = origin;
    work_of_best_ = size.work;
    return true;
  }

  void sift() {
    const std::string origin = best_.origin + ", sifted";
    for (std::size_t argument = 0; argument < arguments(); ++argument) {
      move_blocks(block_lengths(argument), origin);
    }
    while (move_blocks(std::vector<std::size_t>(best_.variables.size(), 1), origin)) {
    }
  }

  std::size_t arguments() const {
    std::size_t most = 0;
    for (const OrderVariable& variable : problem_.variables) {
      most = std::max(most, variable.arguments.size());
    }
    return most;
  }

  // The lengths of runs of variables that share the argument.
  std::vector<std::size_t> block_lengths(std::size_t argument) const {
    const auto value = [&](std::size_t level) {
      const auto& arguments = problem_.variables[best_.variables[level]].arguments;
      return argument < arguments.size() ? arguments[argument] : ~std::size_t{0};
    };
    std::vector<std::size_t> lengths;
    for (std::size_t level = 0; level < best_.variables.size(); ++level) {
      if (level > 0 && value(level) == value(level - 1)) {
        ++lengths.back();
      } else {
        lengths.push_back(1);
      }
    }
    return lengths;
  }

  // Tries every block, from the top down, at every other position. Returns whether some order was
  // better.
  bool move_blocks(std::vector<std::size_t> lengths, const std::string& origin) {
    bool improved = false;
    for (std::size_t block = 0; block < lengths.size(); ++block) {
      std::size_t at = block;
      for (std::size_t to = 0; to < lengths.size() && left_ > 0; ++to) {
        if (to == at || !improve(moved(lengths, at, to), origin)) continue;
        const std::size_t length = lengths[at];
        lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(at));
        lengths.insert(lengths.begin() + static_cast<std::ptrdiff_t>(to), length);
        at = to;
        improved = true;
      }
    }
    return improved && left_ > 0;
  }

  // The best order with block `from` moved to position `to`.
  Order moved(const std::vector<std::size_t>& lengths, std::size_t from, std::size_t to) const {
    Order order = best_.variables;
    const auto begin = [&](std::size_t block) {
      return order.begin() + std::accumulate(lengths.begin(),
                                             lengths.begin() + static_cast<std::ptrdiff_t>(block),
                                             std::ptrdiff_t{0});
    };
    if (from < to) {
      std::rotate(begin(from), begin(from + 1), begin(to + 1));
    } else {
      std::rotate(begin(to), begin(from), begin(from + 1));
    }
    return order;
  }

  static constexpr std::size_t least_sifts = 4;  // the budget must allow for
  static constexpr double unknown = std::numeric_limits<double>::infinity();

  const OrderProblem& problem_;
  const OrderBudget& budget_;
  std::size_t largest_;   // nodes of the diagrams of one order
  std::size_t left_ = 0;  // nodes of the budget
  std::size_t work_of_best_ = 0;
  bool found_ = false;  // some order was small enough
  VariableOrder best_;
};

}  // namespace

double mean_span(const std::vector<std::vector<std::size_t>>& sets, const Order& order) {
  std::vector<std::size_t> level(order.size());
  for (std::size_t l = 0; l < order.size(); ++l) level[order[l]] = l;
  double sum = 0, count = 0;
  for (const auto& set : sets) {
    if (set.size() < 2) continue;
    const auto [first, last] = std::minmax_element(
        set.begin(), set.end(), [&](std::size_t a, std::size_t b) { return level[a] < level[b]; });
    sum += static_cast<double>(level[*last] - level[*first]);
    ++count;
  }
  return count == 0 ? 1 : sum / count;
}

VariableOrder choose_order(const OrderProblem& problem, const OrderBudget& budget) {
  return Search(problem, budget).run();
}

}  // namespace zermelo::symbolic

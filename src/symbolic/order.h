// In which order the variables of a state are tested, from the top level down.
//
//   const VariableOrder order = choose_order(order_problem(game, encoding));
//   encoding = encoding.reordered(order.variables);
//
// See order.cc for how orders are found and what makes one better than another.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"

namespace zermelo::symbolic {

// What a variable is about: the cell in column 2 and row 5 is family "cell" with arguments 2 and 5.
struct OrderVariable {
  std::size_t family = 0;
  std::vector<std::size_t> arguments = {};  // places among the constants that occur there, from 0
};

// What it took to build diagrams, and their nodes if they were not too many.
struct OrderSize {
  std::optional<std::size_t> nodes;
  std::size_t work = 0;  // the nodes built on the way
};

using Order = std::vector<std::size_t>;  // by level, the variable

struct OrderProblem {
  std::vector<OrderVariable> variables;
  // Sets of variables that a move tests and changes together, and that a condition tests together.
  std::vector<std::vector<std::size_t>> moves, conditions;
  // The diagrams of goals and termination under an order, given up beyond `most` nodes.
  std::function<OrderSize(const Order& order, std::size_t most)> size;
};

// In nodes built, so that the same problem always has the same answer. Once a limit is exceeded no
// more diagrams are built, and the order is the best so far.
struct OrderBudget {
  std::size_t largest = std::size_t{1} << 19;     // the diagrams of one order
  std::size_t candidates = std::size_t{1} << 20;  // comparing candidates; the first is always built
  std::size_t sifting = std::size_t{1} << 15;
  base::Limits limits = {};
};

struct VariableOrder {
  Order variables;
  std::string origin;  // "argument 1 centre-out, argument 2, sifted": where the order comes from
  double cost = 0;
  std::size_t evaluations = 0;
};

VariableOrder choose_order(const OrderProblem& problem, const OrderBudget& budget = {});

// The mean distance between the first and the last variable of a set with at least two; 1 if there
// is none.
double mean_span(const std::vector<std::vector<std::size_t>>& sets, const Order& order);

}  // namespace zermelo::symbolic

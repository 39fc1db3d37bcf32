// The order of the variables of a state, from the top level down.
//
//   const VariableOrder order = choose_order(order_problem(game, encoding));
//   encoding = encoding.reordered(order.variables);
//
// See variable_order.cc for how orders are found and what makes one better than another.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"

namespace zermelo::symbolic {

// The name of a variable: the cell in column 2 and row 5 has family "cell" and arguments 2 and 5.
struct OrderVariable {
  std::size_t family = 0;
  std::vector<std::size_t> arguments = {};  // ranks among the constants that occur there, from 0
};

// The size of diagrams, if it is within the limit, and the work to build them.
struct OrderSize {
  std::optional<std::size_t> nodes;
  std::size_t work = 0;  // the nodes built on the way
};

using Order = std::vector<std::size_t>;  // by level, the variable

struct OrderProblem {
  std::vector<OrderVariable> variables;
  // Sets of variables that a move tests and changes together, and that a condition tests together.
  std::vector<std::vector<std::size_t>> moves, conditions;
  // The size of the diagrams of goals and termination under an order, up to `most` nodes.
  std::function<OrderSize(const Order& order, std::size_t most)> size;
};

// Measured in nodes built, so that the result is deterministic. Once a limit is exceeded, no more
// diagrams are built, and the order is the best so far.
struct OrderBudget {
  std::size_t largest = std::size_t{1} << 19;     // the diagrams of one order
  std::size_t candidates = std::size_t{1} << 20;  // comparing candidates; the first is always built
  std::size_t sifting = std::size_t{1} << 15;
  base::Limits limits = {};
};

struct VariableOrder {
  Order variables;
  std::string origin;  // how it was found: "argument 1 centre-out, argument 2, sifted"
  double cost = 0;
  std::size_t evaluations = 0;
};

VariableOrder choose_order(const OrderProblem& problem, const OrderBudget& budget = {});

// The mean distance between the first and the last variable of a set with at least two; 1 if there
// is none.
double mean_span(const std::vector<std::vector<std::size_t>>& sets, const Order& order);

}  // namespace zermelo::symbolic

// The order of two values that fluents hold, or of such a value and a constant.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/lifted_rules.h"
#include "eval/argument_metrics.h"
#include "eval/fluent_index.h"
#include "eval/fuzzy_program.h"
#include "eval/goal_expansion.h"

namespace zermelo::eval {

// A pattern: the value of `larger` should be larger than that of `smaller`.
struct OrderPattern {
  // A fluent with one variable, or a constant.
  struct Side {
    std::optional<gdl::Term> fluent;
    std::size_t position = 0;  // of the variable
    gdl::Term constant = {};
  };

  gdl::Term relation;
  Side larger, smaller;
};

// Recognises the pattern in the text of an expression; nothing is confirmed yet.
std::optional<OrderPattern> find_order_pattern(const GoalExpression& expression,
                                               const analysis::LiftedRules& rules);

struct OrderFeature {
  float base = 0.5f;
  std::vector<std::pair<Plane, float>> weights;
  // The fluents of each side, of which at most one may hold in a state.
  std::vector<std::vector<ground::Atom>> exclusive;
};

// Confirms that the relation is a total order and contains all values that the fluents can have.
// The caller has to prove that `exclusive` is true.
std::optional<OrderFeature> confirm_order(const OrderPattern& pattern, const Relations& relations,
                                          const FluentIndex& fluents);

}  // namespace zermelo::eval

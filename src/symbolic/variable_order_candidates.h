// Initial orders: by the arguments of the variables, and by their common occurrences.
#pragma once

#include <string>
#include <vector>

#include "symbolic/variable_order.h"

namespace zermelo::symbolic {

struct OrderCandidate {
  Order order;
  std::string origin;
};

// Different orders. The first one is by the arguments in the order of the rules. Once a limit is
// exceeded, no more are generated.
std::vector<OrderCandidate> order_candidates(const OrderProblem& problem,
                                             const base::Limits& limits = {});

}  // namespace zermelo::symbolic

// Orders to begin with: by the arguments of the variables, and by the sets they occur in together.
#pragma once

#include <string>
#include <vector>

#include "symbolic/order.h"

namespace zermelo::symbolic {

struct OrderCandidate {
  Order order;
  std::string origin;
};

// Different orders, the one by the arguments as they come first. Once a limit is exceeded there are
// no more.
std::vector<OrderCandidate> order_candidates(const OrderProblem& problem,
                                             const base::Limits& limits = {});

}  // namespace zermelo::symbolic

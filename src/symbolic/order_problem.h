// What choosing an order needs to know of a game.
#pragma once

#include "ground/game.h"
#include "symbolic/encoding.h"
#include "symbolic/order.h"

namespace zermelo::symbolic {

// The game must outlive the result. The order is one of the encoding's variables. Of games with
// very many rules, and where a limit is exceeded before all were looked at, only the names of the
// fluents count.
OrderProblem order_problem(const ground::Game& game, const Encoding& encoding,
                           const OrderBudget& budget = {});

}  // namespace zermelo::symbolic

// What choosing an order needs to know of a game.
#pragma once

#include "ground/game.h"
#include "symbolic/encoding.h"
#include "symbolic/order.h"

namespace zermelo::symbolic {

// The game must outlive the result. The order is one of the encoding's variables.
OrderProblem order_problem(const ground::Game& game, const Encoding& encoding,
                           const OrderBudget& budget = {});

}  // namespace zermelo::symbolic

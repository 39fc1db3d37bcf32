// The input for choosing a variable order of a game.
#pragma once

#include "ground/game.h"
#include "symbolic/encoding.h"
#include "symbolic/variable_order.h"

namespace zermelo::symbolic {

// The problem of ordering the encoding's variables. The game must outlive the result. For games
// with very many rules, and if a limit is exceeded before all were examined, it has only the names
// of the fluents.
OrderProblem order_problem(const ground::Game& game, const Encoding& encoding,
                           const OrderBudget& budget = {});

}  // namespace zermelo::symbolic

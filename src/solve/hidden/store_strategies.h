// What is stored of the solution of a game with hidden information.
#pragma once

#include "solve/folder/strategy_folder.h"
#include "solve/hidden/hidden_solver.h"

namespace zermelo::solve {

StrategyDescription describe(const HiddenSolution& solution, OpponentModel model);
StoredStrategies stored_strategies(const HiddenSolution& solution);

}  // namespace zermelo::solve

// The heuristics of Toss games (toss/heuristic.h) as evaluators:
//
//   toss                 of the game's translation to Toss; the method depends on the game
//   toss-existential     from existential formulas
//   toss-conditions      with rule conditions
//   toss@FILE            of the Toss game in the file, which must be the game that is played
//
// The heuristic of a role less the largest of the others is mapped to 0 to 100 by a function that
// keeps the order.
#pragma once

#include <memory>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "eval/evaluator.h"

namespace zermelo::search {

bool is_toss_evaluator(std::string_view name);

// Fails with not_applicable if the game cannot be translated or the file is another game, with
// unreadable_input and invalid_rules for the file, and at a limit.
base::Result<std::shared_ptr<const eval::Evaluator>> make_toss_evaluator(
    const std::shared_ptr<const machine::Machine>& machine, std::string_view name,
    const base::Limits& limits);

}  // namespace zermelo::search

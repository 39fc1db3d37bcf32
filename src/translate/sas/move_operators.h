// The operators of the moves.
#pragma once

#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"
#include "translate/sas/encoding.h"
#include "translate/sas/rule_values.h"
#include "translate/sas/task.h"

namespace zermelo::translate::sas {

struct MoveOperators {
  std::vector<Operator> operators;  // without names
  // By variable: it can lose its value, which its domain does not have room for. Where one is set,
  // the operators are of no use, as they were made under the wrong assumption, and may be
  // incomplete.
  std::vector<bool> needs_none;
};

enum class WithoutEffects { drop, keep };

// One operator for each move, or a few where it is legal for several reasons. Operators without
// effects are dropped unless they are to be kept. Fails at a limit.
base::Result<MoveOperators> make_move_operators(const ground::Game& game, const Encoding& encoding,
                                                AxiomTable& axioms, RuleValues& values,
                                                const base::Limits& limits,
                                                WithoutEffects idle = WithoutEffects::drop);

}  // namespace zermelo::translate::sas

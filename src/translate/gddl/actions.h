// The moves of a game as actions with parameters.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/limited_steps.h"
#include "translate/gddl/joint_moves.h"
#include "translate/gddl/types.h"
#include "translate/sas/axiom_table.h"
#include "translate/sas/encoding.h"
#include "translate/sas/task.h"

namespace zermelo::translate::gddl {

struct ActionTexts {
  std::string actions;
  std::string predicates;          // declarations of those that list the arguments of moves
  std::vector<std::string> facts;  // of these predicates, for :init
};

// What the operators are made of. All must outlive the call.
struct MoveSource {
  const JointGame& joint;
  const ground::Game& game;  // of which `joint` was made
  const sas::Encoding& encoding;
  // The condition that a derived variable of the operators is true, as a formula.
  std::function<std::string(std::uint32_t)> derived;
  base::LimitedSteps& steps;
};

// The operators, those that differ only in the arguments of the move as one action. Throws
// base::LimitReached at a limit.
ActionTexts write_actions(const std::vector<sas::Operator>& operators, const MoveSource& source,
                          TypedNames& names);

// (cell r1 c1 b)
std::string atom_text(const TypedAtom& atom, TypedNames& names);

}  // namespace zermelo::translate::gddl

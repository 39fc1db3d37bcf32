// Serial compositions: games whose parts are played one after the other.
//
//   for (const SerialStage& stage : *find_serial_stages(machine)) ...
#pragma once

#include <memory>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"
#include "machine/machine.h"

namespace zermelo::analysis {

// A part of a game that can be over while the game continues. Once `over` holds, it holds forever,
// and the fluents of the stage keep their values.
struct SerialStage {
  ground::Literal over;               // a condition on fluents of the stage
  std::vector<ground::Atom> fluents;  // ascending
  // The only conditions on these fluents that matter once the stage is over, ascending: legal
  // moves, the next values of other fluents, the end and the goals depend on no other ones.
  std::vector<ground::Atom> conditions;
};

// Returns the stages that the rules prove, those that are over longest first. Candidates that
// random play does not suggest are not looked at, so some stages may be missed. Fails at a limit.
base::Result<std::vector<SerialStage>> find_serial_stages(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits = {});

}  // namespace zermelo::analysis

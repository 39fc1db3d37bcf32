// Builds the Game from the rule instances.
#pragma once

#include "ground/game.h"
#include "ground/instantiate.h"

namespace zermelo::ground {

// Throws base::LimitReached at a limit of the instantiation.
Game assemble(const Program& program, Instantiation& instantiation);

}  // namespace zermelo::ground

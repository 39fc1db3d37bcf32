// From the instances that grounding made to the Game.
#pragma once

#include "ground/game.h"
#include "ground/instantiate.h"

namespace zermelo::ground {

Game assemble(const Program& program, Instantiation& instantiation);

}  // namespace zermelo::ground

// The names of the opponent model in this module.
#pragma once

#include "eval/opponent_model.h"

namespace zermelo::solve {

using eval::OpponentModel;
using eval::Rewards;

using eval::aim;
using eval::name_of;
using eval::prefers;
using eval::ranks;

}  // namespace zermelo::solve

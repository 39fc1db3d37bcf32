// How `info` shows the description of a game.
#pragma once

#include <string>

#include "app/describe.h"

namespace zermelo::cli {

// Lines of a name and a value.
std::string info_text(const app::GameDescription& facts);

}  // namespace zermelo::cli

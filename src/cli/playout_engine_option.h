// The --engine option of the commands that step a game.
#pragma once

#include "app/playout_engine.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

// Offers the engines that step single states. `engine` must live until the command line is parsed.
void add_engine_option(CLI::App& app, app::PlayoutEngine& engine);
// Also offers the sliced engines, which only play random games.
void add_playout_engine_option(CLI::App& app, app::PlayoutEngine& engine);

}  // namespace zermelo::cli

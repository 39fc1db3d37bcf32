#include "cli/playout_engine_option.h"

#include "cli/options.h"

namespace zermelo::cli {
namespace {

void add_choice(CLI::App& app, std::size_t engines, app::PlayoutEngine& engine,
                const char* description) {
  const auto& names = app::playout_engine_names;
  add_choice_option(
      app, "--engine", {names.begin(), names.begin() + engines},
      [&engine](std::size_t choice) { engine = static_cast<app::PlayoutEngine>(choice); },
      description);
}

}  // namespace

void add_engine_option(CLI::App& app, app::PlayoutEngine& engine) {
  add_choice(app, 2, engine, "fast: grounded game (default); reference: no grounding");
}

void add_playout_engine_option(CLI::App& app, app::PlayoutEngine& engine) {
  add_choice(app, app::playout_engine_names.size(), engine,
             "sliced: 256 games at once (default); interpreted: without machine code");
}

}  // namespace zermelo::cli

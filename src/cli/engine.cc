#include "cli/engine.h"

#include "cli/options.h"
#include "ground/ground.h"

namespace zermelo::cli {

std::string name_of(Engine engine) { return engine == Engine::fast ? "fast" : "reference"; }

void add_engine_option(CLI::App& app, Engine& engine) {
  add_choice_option(
      app, "--engine", {"fast", "reference"},
      [&engine](std::size_t choice) { engine = static_cast<Engine>(choice); },
      "fast grounds the game first (default), reference does not");
}

base::Result<machine::Stepper> make_stepper(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                            const base::Limits& limits) {
  auto game = ground::ground(std::move(rulesheet), {limits});
  if (game) {
    return machine::Stepper(std::make_shared<const machine::Machine>(std::move(*game)));
  }
  const bool limit_reached = game.error().kind == base::ErrorKind::memory_limit ||
                             game.error().kind == base::ErrorKind::time_limit;
  return base::fail(
      game.error().kind,
      game.error().message + (limit_reached ? "; --engine reference needs no grounding" : ""));
}

}  // namespace zermelo::cli

#include "cli/engine.h"

#include "cli/options.h"
#include "ground/ground.h"

namespace zermelo::cli {

std::string name_of(Engine engine) {
  constexpr const char* names[] = {"fast", "reference", "sliced", "interpreted"};
  return names[static_cast<std::size_t>(engine)];
}

void add_engine_option(CLI::App& app, Engine& engine) {
  add_choice_option(
      app, "--engine", {"fast", "reference"},
      [&engine](std::size_t choice) { engine = static_cast<Engine>(choice); },
      "fast grounds the game first (default), reference does not");
}

void add_playout_engine_option(CLI::App& app, Engine& engine) {
  add_choice_option(
      app, "--engine", {"fast", "reference", "sliced", "interpreted"},
      [&engine](std::size_t choice) { engine = static_cast<Engine>(choice); },
      "sliced: 256 games at once (default); interpreted: no machine code");
}

std::vector<std::string> role_names(const ground::Game& game) {
  std::vector<std::string> names;
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
    names.push_back(game.role_name(role));
  }
  return names;
}

base::Result<ground::Game> ground_game(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                       const base::Limits& limits) {
  auto game = ground::ground(std::move(rulesheet), {limits});
  if (game) return game;
  const char* advice =
      base::is_limit(game.error().kind) ? "; --engine reference needs no grounding" : "";
  return base::fail(game.error().kind, game.error().message + advice);
}

base::Result<machine::Stepper> make_stepper(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                            const base::Limits& limits) {
  auto game = ground_game(std::move(rulesheet), limits);
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  return machine::Stepper(std::move(*machine));
}

}  // namespace zermelo::cli

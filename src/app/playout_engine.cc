#include "app/playout_engine.h"

#include "ground/ground.h"

namespace zermelo::app {

std::vector<std::string> role_names(const ground::Game& game) {
  std::vector<std::string> names;
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
    names.push_back(game.role_name(role));
  }
  return names;
}

base::Result<ground::Game> ground_game(Rules rules, const base::Limits& limits) {
  auto game = ground::ground(std::move(rules), {limits});
  if (game) return game;
  return base::fail(game.error().kind,
                    game.error().message + "; --engine reference needs no grounding");
}

base::Result<machine::Stepper> make_stepper(Rules rules, const base::Limits& limits) {
  auto game = ground_game(std::move(rules), limits);
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  return machine::Stepper(std::move(*machine));
}

}  // namespace zermelo::app

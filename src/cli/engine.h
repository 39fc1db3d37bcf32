// The engines that step a game, as --engine names them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "gdl/rulesheet.h"
#include "machine/machine.h"
#include "reference/reference.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

enum class Engine { fast, reference, sliced, interpreted };

std::string name_of(Engine engine);

// The engines that step single states. The option's variable must live until the command line is
// parsed.
void add_engine_option(CLI::App& app, Engine& engine);
// Those and the sliced ones, for random games.
void add_playout_engine_option(CLI::App& app, Engine& engine);

std::vector<std::string> role_names(const ground::Game& game);

// Grounds the game under the limits. An error names the engine that needs no grounding.
base::Result<ground::Game> ground_game(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                       const base::Limits& limits);
base::Result<machine::Stepper> make_stepper(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                            const base::Limits& limits);

// Makes the engine, which steps single states, and gives it to `use`, whose result is returned.
template <class Use>
auto with_engine(Engine engine, std::shared_ptr<const gdl::Rulesheet> rulesheet,
                 const base::Limits& limits, Use use)
    -> base::Result<decltype(use(std::declval<reference::Reference&>()))> {
  if (engine == Engine::reference) {
    auto reference = reference::Reference::make(std::move(rulesheet));
    if (!reference) return tl::unexpected(reference.error());
    return use(*reference);
  }
  auto stepper = make_stepper(std::move(rulesheet), limits);
  if (!stepper) return tl::unexpected(stepper.error());
  return use(*stepper);
}

}  // namespace zermelo::cli

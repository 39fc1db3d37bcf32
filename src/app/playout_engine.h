// The engines of `perft` and `playouts`: names and construction.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/rules.h"
#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "reference/reference.h"

namespace zermelo::app {

enum class PlayoutEngine {
  fast,         // the compiled machine, one state at a time
  reference,    // the evaluator of the rules, which needs no grounding
  sliced,       // 256 random games at once, in machine code if the processor supports it
  interpreted,  // the same without machine code
};

// By engine. The first two step single states; the others only play random games.
inline constexpr std::array<std::string_view, 4> playout_engine_names = {"fast", "reference",
                                                                         "sliced", "interpreted"};

inline std::string_view name_of(PlayoutEngine engine) {
  return playout_engine_names[static_cast<std::size_t>(engine)];
}

inline bool steps_single_states(PlayoutEngine engine) {
  return engine == PlayoutEngine::fast || engine == PlayoutEngine::reference;
}

std::vector<std::string> role_names(const ground::Game& game);

// Grounds the game under the limits. At a limit the error names the engine that needs no grounding.
base::Result<ground::Game> ground_game(Rules rules, const base::Limits& limits);
base::Result<machine::Stepper> make_stepper(Rules rules, const base::Limits& limits);

// Makes an engine that steps single states, passes it to `use` and returns the result of `use`.
template <class Use>
auto with_engine(PlayoutEngine engine, Rules rules, const base::Limits& limits, Use use)
    -> base::Result<decltype(use(std::declval<reference::Reference&>()))> {
  if (engine == PlayoutEngine::reference) {
    auto reference = reference::Reference::make(std::move(rules), limits);
    if (!reference) return tl::unexpected(reference.error());
    return use(*reference);
  }
  auto stepper = make_stepper(std::move(rules), limits);
  if (!stepper) return tl::unexpected(stepper.error());
  return use(*stepper);
}

}  // namespace zermelo::app

// Testing a translation to Toss along random games.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/limits.h"
#include "machine/machine.h"
#include "translate/toss/to_toss.h"

namespace zermelo::translate::toss {

struct BijectionOptions {
  std::size_t games = 50;
  std::size_t longest = 500;  // joint moves of a game
  std::uint64_t seed = 1;
  base::Limits limits;
};

struct BijectionReport {
  std::size_t games = 0, states = 0;      // compared
  std::optional<std::string> difference;  // the first, with the moves that lead to it
  bool stopped = false;                   // at a limit
};

// Plays random games and compares in every state: the structure, the joint moves, each of which
// must be one application of one rule, whether the game is over, and the payoffs at the end.
BijectionReport check_bijection(const std::shared_ptr<const machine::Machine>& machine,
                                const TossTranslation& translation,
                                const BijectionOptions& options);

}  // namespace zermelo::translate::toss

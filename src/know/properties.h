// What every player should know in a playable game: its legal moves, whether the game has ended,
// and then its goal value. Also whether it always knows the state: if all players do, information
// is perfect.
#pragma once

#include <cstddef>
#include <memory>

#include "base/limits.h"
#include "know/knowledge.h"
#include "machine/machine.h"

namespace zermelo::know {

struct PropertiesOptions {
  base::Limits limits = {};
  std::size_t max_worlds = ~std::size_t{0};  // per round; more count as the memory limit
};

// Checks round by round, until no development continues or a limit is reached.
KnowledgeProperties check_knowledge(std::shared_ptr<const machine::Machine> machine,
                                    const PropertiesOptions& options = {});

}  // namespace zermelo::know

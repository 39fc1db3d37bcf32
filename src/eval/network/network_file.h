// Networks as files: weights and all that training needs to continue. The format is described in
// docs/reference/formats.md.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "eval/network/game_network.h"

namespace zermelo::eval::network {

// Identifies rules: equal for rulesheets that print alike in canonical layout.
std::uint64_t signature(const gdl::Rulesheet& rules);

std::string write(const GameNetwork& network);

// Reads what `write` returned; `name` is for messages. Fails with not_applicable if the network is
// one of other rules, and with unreadable_input if the text is not a network.
base::Result<GameNetwork> read(std::shared_ptr<const machine::Machine> machine,
                               std::string_view text, const std::string& name);
// The same for a file.
base::Result<GameNetwork> open(std::shared_ptr<const machine::Machine> machine,
                               const std::string& path);

}  // namespace zermelo::eval::network

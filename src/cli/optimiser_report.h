// How `info` shows what the optimiser makes of a game, and its mutex groups.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/mutex_groups.h"
#include "base/limits.h"
#include "circuit/lasting.h"
#include "circuit/pass_sizes.h"

namespace zermelo::cli {

struct OptimiserFacts {
  std::vector<circuit::PassSize> passes;
  circuit::LastingFacts lasting;
  std::size_t phases = 0;
  std::size_t operations_per_step = 0;  // for all lanes, on average over the phases
};

// Nothing for games so large that looking would take minutes, and at a limit.
std::optional<OptimiserFacts> optimiser_facts(
    const std::shared_ptr<const circuit::CompiledGame>& compiled, const base::Limits& limits);

nlohmann::ordered_json as_json(const OptimiserFacts& facts);
// Adds mutex_groups, a list of lists of fluents, and mutex_proof.
void add_mutex_groups(const analysis::MutexGroups& found, const ground::Game& game,
                      nlohmann::ordered_json& json);

// Both as lines of a name and a value.
using Lines = std::vector<std::pair<std::string, std::string>>;
Lines optimiser_lines(const OptimiserFacts& facts);
Lines mutex_lines(const analysis::MutexGroups& found, const ground::Game& game);

}  // namespace zermelo::cli

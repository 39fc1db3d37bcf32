// The description of a game: its size, the conditions it satisfies, and its compiled forms.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/dynamic_conditions.h"
#include "analysis/mutex_groups.h"
#include "analysis/state_bound.h"
#include "app/context.h"
#include "app/optimiser_facts.h"
#include "app/rules.h"
#include "app/symbolic_facts.h"
#include "know/knowledge.h"

namespace zermelo::app {

struct DescribeRequest {
  Rules rules;
  bool conditions = true;    // play and prove; otherwise the game is only grounded
  bool more_states = false;  // spend more time on bounding the number of states
  bool symbolic = false;     // build decision diagrams
  std::uint64_t seed = 1;
  ResourceLimits limits = {};
};

// The numbers of subgames that moves act in, by grain; nothing if a limit was reached.
struct SubgameFacts {
  std::optional<std::size_t> by_symbol, by_ground;
};

struct GameDescription {
  std::shared_ptr<const ground::Game> game;
  double ground_seconds = 0;
  std::optional<analysis::DynamicConditions> conditions;
  std::optional<analysis::StateBound> state_bound;  // if the number of states is not known
  std::optional<analysis::MutexGroups> mutex_groups;
  std::optional<SubgameFacts> subgames;
  std::optional<OptimiserFacts> optimiser;
  std::optional<SymbolicFacts> symbolic;
  std::optional<know::KnowledgeProperties> knowledge;  // of games in GDL-II
};

// Fails if the game cannot be grounded, if requested diagrams cannot be built, and at a limit.
base::Result<GameDescription> describe(const DescribeRequest& request, const Context& context = {});

// "proved", "refuted" or "sampled".
const char* name_of(analysis::Evidence evidence);
// "perfect" if every player always knows the state, "imperfect" if one does not, otherwise
// "unknown".
const char* information_of(const GameDescription& facts);
// What a role may see, by the name of the percept, with the number of ground percepts.
std::vector<std::pair<std::string, std::size_t>> percepts_of(const ground::Game& game,
                                                             std::size_t role);
// The number of moves of a role, and the goal values it may get.
std::uint32_t moves_of(const ground::Game& game, std::size_t role);
std::vector<int> goal_values(const ground::Game& game, std::size_t role);

}  // namespace zermelo::app

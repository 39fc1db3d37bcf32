// What players know of a game, as results show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace zermelo::know {

// The names of the moves, by step and role.
using Line = std::vector<std::vector<std::string>>;

// Two developments that the player cannot tell apart, although the property differs in them.
struct Confusion {
  std::string reason;  // one sentence: what differs
  Line line;
  Line other;
};

// By property: nullopt if no confusion was found.
struct PlayerKnowledge {
  std::string role;
  std::optional<Confusion> state;  // the fluents that hold
  std::optional<Confusion> moves;  // the legal moves, where the game has not ended
  std::optional<Confusion> end;    // whether the state is terminal
  std::optional<Confusion> goal;   // the goal values, where the state is terminal
};

struct KnowledgeProperties {
  std::vector<PlayerKnowledge> players;
  std::size_t rounds = 0;            // that were checked, from round 0
  std::optional<base::Error> limit;  // why later rounds were not; nullopt: all were, it is a proof
  std::uint64_t developments = 0;    // of all checked rounds; the largest number if there are more

  bool complete() const { return !limit.has_value(); }
};

}  // namespace zermelo::know

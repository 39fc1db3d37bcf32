// Players against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/job.h"
#include "app/rules.h"
#include "cluster/cluster_agent.h"
#include "play/match.h"

namespace zermelo::app {

struct MatchRequest {
  Rules rules;
  std::vector<std::string> players = {};  // by role, as play/agent.h describes; others are `random`
  std::uint64_t games = 1;                // roles change from game to game without a coalition
  std::vector<std::string> coalition = {};  // roles that play for the sum of their rewards
  std::optional<unsigned> threads = {};     // parallel games; nullopt: all cores
  std::string game_name = {};               // in the records
  std::string records = {};                 // folder of the records; empty: none are written
  bool keep_records = false;                // in the result as well
  std::uint64_t seed = 1;
  // Null: this process alone. Otherwise all ranks of the job call `play_match` with the same
  // request. Rank 0 plays; the players `cluster:OPTIONS`, with the options of uct, search on all
  // ranks.
  std::shared_ptr<Job> job = {};
  cluster::SearchMode cluster = cluster::SearchMode::tree;
  ResourceLimits limits = {};
};

struct MatchReport {
  play::MatchResult match;
  base::Result<void> records;  // the first error in writing them
  std::vector<cluster::Work> work =
      {};  // by rank, if players search with cluster::SearchMode::tree
};

// Plays the games. At the time limit the report has the games that were started. Fails with
// invalid_request for unknown or too many players and for unknown roles, with unwritable_output if
// records cannot be written, and if a player cannot play the game.
base::Result<MatchReport> play_match(const MatchRequest& request, const Context& context = {});

// The error of a match that reached its time limit.
inline constexpr const char* match_limit_message =
    "time limit reached before all games were finished";

// The name of a match's record in its folder.
std::string record_file(const std::string& match_id);

}  // namespace zermelo::app

// Matches between agents.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/statistics.h"
#include "play/agent.h"
#include "play/match_record.h"
#include "search/coalition_simulator.h"

namespace zermelo::play {

struct MatchOptions {
  std::uint64_t games = 1;
  std::uint64_t seed = 1;
  unsigned threads = 1;         // games played at the same time
  std::size_t longest = 2'000;  // limit in joint moves; a longer game is not completed
  std::string game_name;
  base::Limits limits = {};  // checked between moves
  bool keep_records = true;  // in the result
  // What the agents play for, if some roles form a coalition. Everybody knows it. Player p then has
  // role p in every game.
  std::optional<search::CoalitionRewards> coalition = {};
  // Called with every game when it is over or was ended by a limit. Calls come from any thread, one
  // at a time.
  std::function<void(const MatchRecord&)> game_over = [](const MatchRecord&) {};
};

// The part of a game that statistics need.
struct PlayedGame {
  std::vector<std::size_t> seating;  // player of each role
  bool is_completed = false;
  std::vector<int> goals;  // by role, if completed
};

// Counts of replaced moves by reason, and of missing answers to START, of players on the network.
struct Faults {
  std::size_t late = 0;
  std::size_t illegal = 0;
  std::size_t unreachable = 0;
  std::size_t unprepared = 0;  // START was not answered with "ready" in time
};

struct MatchResult {
  std::vector<std::string> roles;
  std::vector<std::string> players;
  std::vector<std::string> choices;   // by player: what `auto` decided and why; empty for others
  std::vector<base::Interval> goals;  // by player, over completed games
  std::vector<std::string> coalition = {};  // the roles that played for the sum of their rewards
  base::Interval coalition_sum = {};        // of the goals of these roles, over completed games
  std::uint64_t completed = 0;
  std::optional<base::ErrorKind> limit;  // the limit that ended the match early; games are missing
  std::vector<PlayedGame> games;
  std::vector<MatchRecord> records;  // by game; empty if records are not kept
  std::optional<Faults> faults;      // of all games, for players on the network
};

// Plays the games. Without a coalition, player p has role (p + g) modulo the number of roles in
// game g. There must be as many players as roles. If a limit is reached, returns the games that
// were started. Fails if an agent cannot be created.
base::Result<MatchResult> run_match(const std::shared_ptr<const search::Simulator>& simulator,
                                    const std::vector<AgentSpec>& players,
                                    const MatchOptions& options);

// Returns the match id that the record of the game has.
std::string match_id(std::uint64_t seed, std::uint64_t game);

// Returns the player of each role in that game.
std::vector<std::size_t> seating_of(std::uint64_t game, std::size_t players);

// Computes goals, coalition_sum and completed from the games. Ignores seats whose index is not
// below the number of players.
void average_goals(MatchResult& result);

}  // namespace zermelo::play

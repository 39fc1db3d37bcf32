// Games between agents.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/statistics.h"
#include "play/agent.h"
#include "play/record.h"

namespace zermelo::play {

struct MatchOptions {
  std::uint64_t games = 1;
  std::uint64_t seed = 1;
  unsigned threads = 1;         // games at the same time
  std::size_t longest = 2'000;  // joint moves; a game still going then is not completed
  std::string game_name;
  base::Limits limits = {};  // asked between moves
  bool keep_records = true;  // in the result
  // Called with every game as soon as it is over, or given up at a limit: one game at a time, from
  // any thread.
  std::function<void(const MatchRecord&)> game_over = [](const MatchRecord&) {};
};

// What statistics need of a game.
struct PlayedGame {
  std::vector<std::size_t> seating;  // by role: the player
  bool is_completed = false;
  std::vector<int> goals;  // by role, when completed
};

// What players on the network did wrong: moves that were replaced, and answers to START.
struct Faults {
  std::size_t late = 0;
  std::size_t illegal = 0;
  std::size_t unreachable = 0;
  std::size_t unprepared = 0;  // START was not answered by "ready" in time
};

struct MatchResult {
  std::vector<std::string> roles;
  std::vector<std::string> players;
  std::vector<base::Interval> goals;  // by player, over completed games
  std::uint64_t completed = 0;
  std::optional<base::ErrorKind> limit;  // that ended it early: games are missing
  std::vector<PlayedGame> games;
  std::vector<MatchRecord> records;  // by game; none where they are not kept
  std::optional<Faults> faults;      // of all games, for players on the network
};

// Plays the games; in game g player p has role (p + g) modulo the number of roles, of which there
// must be as many as players. At a limit the games that were begun are returned. Fails where an
// agent cannot be made.
base::Result<MatchResult> run_match(const std::shared_ptr<const search::Simulator>& simulator,
                                    const std::vector<AgentSpec>& players,
                                    const MatchOptions& options);

// What a game is called in its record.
std::string match_id(std::uint64_t seed, std::uint64_t game);

// Who plays in that game: by role, the player.
std::vector<std::size_t> seating_of(std::uint64_t game, std::size_t players);

// Fills in goals and completed from the games. A seat beyond the players is left out.
void average_goals(MatchResult& result);

}  // namespace zermelo::play

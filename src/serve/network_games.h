// A number of matches between players on the network, and what they come to.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/match.h"
#include "app/rules.h"

namespace zermelo::serve {

struct NetworkGamesRequest {
  app::Rules rules;
  std::vector<std::string> players;  // by role: HOST:PORT, or `random` for moves by the referee
  std::uint64_t games = 1;           // roles change from game to game
  int start_clock = 30;              // seconds
  int play_clock = 10;
  std::chrono::duration<double> grace{1};  // that an answer may come later than the clock says
  bool scramble = false;                   // players see meaningless words instead of names
  std::string match_id = {};   // what the ids of the matches begin with; empty: made from the time
  std::string game_name = {};  // in the records
  std::string records = {};    // folder of the records; empty: none are written
  bool keep_records = false;   // in the result as well
  std::uint64_t seed = 1;      // of random moves and of the meaningless words
  app::ResourceLimits limits = {};  // for making the simulator
  std::function<void(const std::string&)> log = [](const std::string&) {};  // from any thread
};

// Fails with invalid_request if a player is neither HOST:PORT nor `random`, or the match id is
// not a word that can be part of messages and file names.
base::Result<void> check(const NetworkGamesRequest& request);

// Plays the games one after the other. A cancelled request aborts the current match and reports the
// games played. Fails like `check`, with invalid_request if there is not one player per role,
// with unreadable_input for a host that is not known, and with unwritable_output if records
// cannot be written.
base::Result<app::MatchReport> play_network_games(const NetworkGamesRequest& request,
                                                  const app::Context& context = {});

}  // namespace zermelo::serve

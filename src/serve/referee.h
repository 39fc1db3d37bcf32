// A game manager: plays one match between players on the network.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "play/match.h"
#include "search/simulator.h"
#include "serve/http_client.h"

namespace zermelo::serve {

// Who plays a role: a player on the network, or random moves made by the referee.
using Seat = std::optional<Endpoint>;

struct RefereeOptions {
  std::string match_id;
  std::string game_name;
  int start_clock = 30;  // seconds
  int play_clock = 10;
  std::chrono::duration<double> grace{1};  // that an answer may come later than the clock says
  std::optional<std::uint64_t> scramble;   // the seed of the words
  std::uint64_t seed = 1;                  // of random moves
  std::size_t longest = 2'000;             // joint moves; a match still going then is aborted
  std::stop_token stop = {};               // once requested, the match is aborted
  // From any thread; lines of printable ASCII characters.
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

using play::Faults;

struct RefereeResult {
  play::MatchRecord record;
  Faults faults;
};

// `engine` must be of the rules; one seat per role. A player's move that is late, not legal or not
// received is replaced by a random legal one. The record's errors are those of ggp-base: a row for
// START and one for each joint move, in which "TO" was late, "CE" not received, and "IL" with the
// answer not legal. The answer is in the words of the rules, also where players saw others.
RefereeResult run_network_match(const std::shared_ptr<const search::Simulator>& simulator,
                                const gdl::Rulesheet& rules, const std::vector<Seat>& seats,
                                const RefereeOptions& options);

}  // namespace zermelo::serve

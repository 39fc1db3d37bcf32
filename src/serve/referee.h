// A game manager that plays one match between players on the network.
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

// The player of a role: one on the network, or else random moves made by the referee.
using Seat = std::optional<Endpoint>;

struct RefereeOptions {
  std::string match_id;
  std::string game_name;
  int start_clock = 30;  // seconds
  int play_clock = 10;
  std::chrono::duration<double> grace{1};  // how much later than the clock an answer may arrive
  std::optional<std::uint64_t> scramble;   // seed of the scrambled names
  std::uint64_t seed = 1;                  // for random moves
  std::size_t longest = 2'000;             // limit in joint moves; a longer match is aborted
  std::stop_token stop = {};               // once requested, the match is aborted
  // Called from any thread with lines of printable ASCII characters.
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

using play::Faults;

struct RefereeResult {
  play::MatchRecord record;
  Faults faults;
};

// Plays the match. The simulator must be of the rules, and there must be one seat per role; that of
// `random` is empty. In a game with hidden information, which must be grounded, players get
// messages of GDL-II. A move
// that is late, illegal or missing is replaced by a random legal one. The record's errors are those
// of ggp-base, in one row for START and one per joint move: "TO" for a timeout, "CE" for a
// connection error, and "IL" with the answer for an illegal move. The answer is written in the
// names of the rules, even if players saw scrambled ones.
RefereeResult run_network_match(const std::shared_ptr<const search::Simulator>& simulator,
                                const gdl::Rulesheet& rules, const std::vector<Seat>& seats,
                                const RefereeOptions& options);

}  // namespace zermelo::serve

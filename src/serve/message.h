// The messages of a game manager to players, as ggp-base and the Dresden server write them:
//
//   (INFO)  (PING)  (PREVIEW (RULES) [CLOCK])  (START ID ROLE (RULES) STARTCLOCK PLAYCLOCK)
//   (PLAY ID NIL)  (PLAY ID (MOVES))  (STOP ID (MOVES))  (ABORT ID)
//   (PLAY ID TURN MOVE (PERCEPTS))  (STOP ID TURN MOVE (PERCEPTS))
//
// The last two are those of GDL-II: the number of the turn, from 0, the player's own last move, and
// what it then saw; NIL for both in turn 0.
//
// Keywords, names and moves are case-insensitive. Terms are normalised to the form that engines
// print: lower case, one space between the parts. Further arguments of START are ignored, as in
// ggp-base.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace zermelo::serve {

struct Message {
  enum class Kind { info, ping, preview, start, play, stop, abort };

  Kind kind = Kind::info;
  std::string match_id;  // as written; start, play, stop, abort
  std::string role;      // start
  std::string rules;     // start: the clauses, without the outer parentheses
  int start_clock = 0;   // start: seconds
  int play_clock = 0;
  std::vector<std::string> moves;  // play, stop: by role; empty for NIL
  // play, stop of GDL-II: then there are no `moves`.
  std::optional<int> turn = {};
  std::string own_move = {};  // empty for NIL
  std::vector<std::string> percepts = {};
};

// Fails with unreadable_input for any other text.
base::Result<Message> parse_message(std::string_view text);

std::string write_start(const Message& message);
// Returns a PLAY or STOP message.
std::string write_moves(const Message& message);

}  // namespace zermelo::serve

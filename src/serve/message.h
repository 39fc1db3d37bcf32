// The messages that a game manager sends to players, as ggp-base and the Dresden server write them:
//
//   (INFO)  (PING)  (PREVIEW (RULES) [CLOCK])  (START ID ROLE (RULES) STARTCLOCK PLAYCLOCK)
//   (PLAY ID NIL)  (PLAY ID (MOVES))  (STOP ID (MOVES))  (ABORT ID)
//
// Keywords, names and moves may be in any case. Terms are kept in the form in which engines print
// them: lower case, one space between the parts. More than five arguments of START are ignored, as
// ggp-base does.
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
  std::string match_id;  // as it was written; start, play, stop, abort
  std::string role;      // start
  std::string rules;     // start: the clauses, without the parentheses around all of them
  int start_clock = 0;   // start: seconds
  int play_clock = 0;
  std::vector<std::string> moves;  // play, stop: by role; empty for NIL
};

// Fails with unreadable_input for any other text.
base::Result<Message> parse_message(std::string_view text);

std::string write_start(const Message& message);
// PLAY or STOP.
std::string write_moves(const Message& message);

}  // namespace zermelo::serve

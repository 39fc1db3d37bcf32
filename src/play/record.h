// What happened in one game: the match record, in the JSON layout of ggp.org.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace zermelo::play {

struct MatchRecord {
  std::string match_id;
  std::string game;                     // a name for the rules
  std::int64_t start_time = 0;          // milliseconds since 1970; 0 where it is not told
  int start_clock = 0, play_clock = 0;  // seconds
  std::vector<std::string> roles;
  std::vector<std::string> players;              // by role
  std::vector<std::vector<std::string>> states;  // fluents; the initial state first
  std::vector<std::int64_t> state_times;         // when each was reached, as start_time, if told
  std::vector<std::vector<std::string>> moves;   // by step and role
  // By state and role what was wrong before it, "" for nothing: in the first row with the answer to
  // START, then with the move. Records of others may lack the first row.
  std::vector<std::vector<std::string>> errors;
  bool is_completed = false;      // reached a terminal state
  std::vector<int> goals;         // by role, when completed
  std::optional<bool> scrambled;  // whether players saw other names, if told

  bool operator==(const MatchRecord&) const = default;
};

// One line of JSON with all that ggp-base's reader wants: the match id is also the random token,
// and states whose time is not told have the start time. States are texts of the form
// "( (cell 1 1 b) (control x) )".
std::string to_json(const MatchRecord& record);
// Fails with unreadable_input for a text that is no record; roles may be missing in old ones. Terms
// are written as the engines write them, whatever their layout was.
base::Result<MatchRecord> read_record(const std::string& json);

}  // namespace zermelo::play

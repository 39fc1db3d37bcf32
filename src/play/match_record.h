// The match record: what happened in one game, in the JSON format of ggp.org.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace zermelo::play {

struct MatchRecord {
  std::string match_id;
  std::string game;                     // name of the rules
  std::int64_t start_time = 0;          // milliseconds since 1970; 0 if unknown
  int start_clock = 0, play_clock = 0;  // seconds
  std::vector<std::string> roles;
  std::vector<std::string> players;              // by role
  std::vector<std::vector<std::string>> states;  // fluents; the initial state first
  std::vector<std::int64_t> state_times;         // like start_time; empty if unknown
  std::vector<std::vector<std::string>> moves;   // by step and role
  // By state and role, the error of the step before the state, or "". The first row is about the
  // answers to START. Records of other programs may lack it.
  std::vector<std::vector<std::string>> errors;
  bool is_completed = false;      // reached a terminal state
  std::vector<int> goals;         // by role, if completed
  std::optional<bool> scrambled;  // whether players saw scrambled names, if known

  bool operator==(const MatchRecord&) const = default;
};

// Returns one line of JSON with everything that ggp-base's reader requires. The match id is also
// the random token, and states without a time get the start time. States are strings of the form "(
// (cell 1 1 b) (control x) )".
std::string to_json(const MatchRecord& record);
// Fails with unreadable_input if the text is not a match record. Old records may lack the roles.
// Terms are normalised to the form that the engines print.
base::Result<MatchRecord> read_record(const std::string& json);

}  // namespace zermelo::play

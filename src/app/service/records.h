// Match records of ggp.org on a page: read with the value of every step, and written.
#pragma once

#include <string>
#include <vector>

#include "app/service/position_view.h"
#include "play/match_record.h"

namespace zermelo::app {

struct JudgedRecord {
  play::MatchRecord record;
  std::string problem;  // why the record contradicts the rules; the steps before that are judged
  std::vector<std::vector<std::string>> history;  // joint moves that fit the rules
  ValueHistory values;
};

// Fails with unreadable_input if the text is not a match record.
base::Result<JudgedRecord> judge_record(const OpenGame& game, const std::string& text);

// The record of a game, as JSON. Fails like view_position.
base::Result<std::string> write_record(const OpenGame& game, const std::vector<StepChoice>& steps,
                                       const std::vector<std::string>& players);

std::string to_json(const JudgedRecord& judged);

// A joint move as a step in which everything is given.
StepChoice step_of(const std::vector<std::string>& joint);

}  // namespace zermelo::app

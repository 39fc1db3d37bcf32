#include "app/service/records.h"

#include "app/json.h"
#include "app/json/values.h"
#include "app/service/service_json.h"
#include "play/replay.h"

namespace zermelo::app {

StepChoice step_of(const std::vector<std::string>& joint) { return {joint.begin(), joint.end()}; }

base::Result<JudgedRecord> judge_record(const OpenGame& game, const std::string& text) {
  auto record = play::read_record(text);
  if (!record) return tl::unexpected(record.error());
  const play::Replay replay = play::replay(*game.simulator(), *record, nullptr);
  JudgedRecord judged{std::move(*record), replay.problem, {}, {}};
  std::vector<StepChoice> steps;
  for (std::size_t i = 1; i < replay.steps.size(); ++i) {
    judged.history.push_back(replay.steps[i].moves);
    steps.push_back(step_of(replay.steps[i].moves));
  }
  auto values = value_history(game, steps);
  if (!values) return tl::unexpected(values.error());
  judged.values = std::move(*values);
  return judged;
}

base::Result<std::string> write_record(const OpenGame& game, const std::vector<StepChoice>& steps,
                                       const std::vector<std::string>& players) {
  play::MatchRecord record;
  record.match_id = "game";
  record.game = game.entry().id;
  record.roles = game.roles();
  record.players = players;
  record.players.resize(record.roles.size());
  for (std::size_t length = 0; length <= steps.size(); ++length) {
    auto position =
        reach(game, {steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(length)});
    if (!position) return tl::unexpected(position.error());
    record.states.push_back(game.simulator()->fluent_names(position->walker->state()));
    if (length < steps.size()) continue;
    record.moves = position->history;
    record.is_completed = position->walker->terminal();
    for (std::size_t role = 0; record.is_completed && role < record.roles.size(); ++role) {
      record.goals.push_back(position->walker->goal(role));
    }
  }
  return play::to_json(record);
}

std::string to_json(const JudgedRecord& judged) {
  return one_line({{"match_id", judged.record.match_id},
                   {"roles", judged.record.roles},
                   {"players", judged.record.players},
                   {"fits", judged.problem.empty()},
                   {"problem", judged.problem},
                   {"history", judged.history},
                   {"values", Json::parse(to_json(judged.values))}});
}

}  // namespace zermelo::app

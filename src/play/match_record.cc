#include "play/match_record.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "gdl/term_text.h"

namespace zermelo::play {
namespace {

std::string list_of(const std::vector<std::string>& terms) {
  std::string text = "(";
  for (const std::string& term : terms) text += " " + term;
  return text + " )";
}

// Normalises spacing: other programs write "( mark 1 1 )". Text that is not a term stays unchanged,
// and is not a legal move.
std::string canonical(std::string_view text) {
  return gdl::canonical_term(text).value_or(std::string(text));
}

// Returns the terms of a list, such as "( (cell 1 1 b) (control x) )"; none if the text is not a
// list.
std::vector<std::string> terms_inside(const std::string& list) {
  const std::size_t open = list.find('('), close = list.rfind(')');
  if (open == list.npos || close == list.npos || close < open) return {};
  std::vector<std::string> terms;
  const std::string_view inside = std::string_view(list).substr(open + 1, close - open - 1);
  for (const std::string_view item :
       gdl::items_of(inside).value_or(std::vector<std::string_view>()))
    terms.push_back(canonical(item));
  return terms;
}

}  // namespace

std::string to_json(const MatchRecord& record) {
  std::vector<std::string> states;
  for (const auto& state : record.states) states.push_back(list_of(state));
  std::vector<std::int64_t> times = record.state_times;
  times.resize(states.size(), record.start_time);
  nlohmann::ordered_json json = {{"matchId", record.match_id},
                                 {"randomToken", record.match_id},
                                 {"gameMetaURL", record.game},
                                 {"startTime", record.start_time},
                                 {"startClock", record.start_clock},
                                 {"playClock", record.play_clock},
                                 {"gameRoleNames", record.roles},
                                 {"playerNamesFromHost", record.players},
                                 {"states", states},
                                 {"stateTimes", times},
                                 {"moves", record.moves},
                                 {"errors", record.errors},
                                 {"isCompleted", record.is_completed},
                                 {"isAborted", !record.is_completed},
                                 {"goalValues", record.goals}};
  if (record.scrambled) json["scrambled"] = *record.scrambled;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

base::Result<MatchRecord> read_record(const std::string& text) {
  try {
    const auto json = nlohmann::json::parse(text);
    MatchRecord record;
    record.match_id = json.at("matchId").get<std::string>();
    record.game = json.value("gameMetaURL", "");
    record.start_time = json.value("startTime", std::int64_t{0});
    record.start_clock = json.value("startClock", 0);
    record.play_clock = json.value("playClock", 0);
    record.roles = json.value("gameRoleNames", std::vector<std::string>());
    record.players = json.value("playerNamesFromHost", std::vector<std::string>());
    for (const auto& state : json.at("states")) {
      record.states.push_back(terms_inside(state.get<std::string>()));
    }
    record.state_times = json.value("stateTimes", std::vector<std::int64_t>());
    record.moves = json.at("moves").get<std::vector<std::vector<std::string>>>();
    for (auto& joint : record.moves) {
      for (std::string& move : joint) move = canonical(move);
    }
    record.errors = json.value("errors", std::vector<std::vector<std::string>>());
    record.is_completed = json.value("isCompleted", false);
    record.goals = json.value("goalValues", std::vector<int>());
    if (json.contains("scrambled")) record.scrambled = json.at("scrambled").get<bool>();
    return record;
  } catch (const nlohmann::json::parse_error& problem) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "not a match record: JSON error at byte " + std::to_string(problem.byte));
  } catch (const nlohmann::json::exception&) {
    return base::fail(
        base::ErrorKind::unreadable_input,
        "not a match record: expected matchId, states and moves in the format of ggp.org");
  }
}

}  // namespace zermelo::play

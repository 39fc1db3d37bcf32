#include "play/record.h"

#include <nlohmann/json.hpp>

namespace zermelo::play {
namespace {

std::string list_of(const std::vector<std::string>& terms) {
  std::string text = "(";
  for (const std::string& term : terms) text += " " + term;
  return text + " )";
}

// The terms between the outer parentheses.
std::vector<std::string> terms_of(const std::string& list) {
  std::vector<std::string> terms;
  int depth = 0;
  bool inside = false;  // a term
  for (const char c : list) {
    if (c == ')' && --depth == 0) break;
    if (depth >= 1) {
      const bool gap = c == ' ' && depth == 1;
      if (!gap && !inside) terms.emplace_back();
      if (!gap) terms.back() += c;
      inside = !gap;
    }
    if (c == '(') ++depth;
  }
  return terms;
}

}  // namespace

std::string to_json(const MatchRecord& record) {
  std::vector<std::string> states;
  for (const auto& state : record.states) states.push_back(list_of(state));
  const nlohmann::ordered_json json = {{"matchId", record.match_id},
                                       {"gameMetaURL", record.game},
                                       {"startTime", record.start_time},
                                       {"startClock", record.start_clock},
                                       {"playClock", record.play_clock},
                                       {"gameRoleNames", record.roles},
                                       {"playerNamesFromHost", record.players},
                                       {"states", states},
                                       {"moves", record.moves},
                                       {"errors", record.errors},
                                       {"isCompleted", record.is_completed},
                                       {"isAborted", !record.is_completed},
                                       {"goalValues", record.goals}};
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
      record.states.push_back(terms_of(state.get<std::string>()));
    }
    record.moves = json.at("moves").get<std::vector<std::vector<std::string>>>();
    record.errors = json.value("errors", std::vector<std::vector<std::string>>());
    record.is_completed = json.value("isCompleted", false);
    record.goals = json.value("goalValues", std::vector<int>());
    return record;
  } catch (const nlohmann::json::parse_error& problem) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "no match record: no JSON from byte " + std::to_string(problem.byte) + " on");
  } catch (const nlohmann::json::exception&) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "no match record: it needs matchId, states and moves as ggp.org writes them");
  }
}

}  // namespace zermelo::play

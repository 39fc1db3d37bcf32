#include "play/record.h"

#include <nlohmann/json.hpp>

namespace zermelo::play {
namespace {

std::string list_of(const std::vector<std::string>& terms) {
  std::string text = "(";
  for (const std::string& term : terms) text += " " + term;
  return text + " )";
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Parentheses and the words between them; names have no capitals.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  bool in_word = false;
  for (const char c : text) {
    const bool is_parenthesis = c == '(' || c == ')';
    if (!is_blank(c)) {
      if (!in_word || is_parenthesis) tokens.emplace_back();
      tokens.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    in_word = !is_blank(c) && !is_parenthesis;
  }
  return tokens;
}

// A word alone has no parentheses: "( noop )" is noop.
void close_list(std::string& term) {
  const std::size_t before = term.find_last_of("( )");
  if (term[before] == '(' && before + 1 < term.size()) {
    term.erase(before, 1);
  } else {
    term += ')';
  }
}

// The terms up to a parenthesis too many, written as the engines write them: one space between
// words, none inside parentheses. Other programs write "( mark 1 1 )".
std::vector<std::string> terms_of(const std::string& text) {
  std::vector<std::string> terms;
  std::size_t depth = 0;
  for (const std::string& token : tokens_of(text)) {
    if (token == ")") {
      if (depth-- == 0) break;
      close_list(terms.back());
      continue;
    }
    if (depth == 0) {
      terms.emplace_back();
    } else if (terms.back().back() != '(') {
      terms.back() += ' ';
    }
    terms.back() += token;
    depth += token == "(";
  }
  return terms;
}

// Of a list, "( (cell 1 1 b) (control x) )".
std::vector<std::string> terms_inside(const std::string& list) {
  const std::size_t open = list.find('(');
  return open == std::string::npos ? std::vector<std::string>() : terms_of(list.substr(open + 1));
}

// What is not one term stays as it is, and is no legal move.
std::string move_of(const std::string& text) {
  const std::vector<std::string> terms = terms_of(text);
  return terms.size() == 1 ? terms[0] : text;
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
      for (std::string& move : joint) move = move_of(move);
    }
    record.errors = json.value("errors", std::vector<std::vector<std::string>>());
    record.is_completed = json.value("isCompleted", false);
    record.goals = json.value("goalValues", std::vector<int>());
    if (json.contains("scrambled")) record.scrambled = json.at("scrambled").get<bool>();
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

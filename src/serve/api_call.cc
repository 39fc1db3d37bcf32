#include "serve/api_call.h"

#include <cctype>

#include "app/json.h"

namespace zermelo::serve {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text, bool plus_is_space) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                           hex_digit(text[i + 2]) >= 0;
    if (is_escape) {
      result += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      result += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return result;
}

std::string_view next_segment(std::string_view& path) {
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

// Files are where the owner of the server put them; visitors need not know.
bool may_name_files(base::ErrorKind kind) {
  return kind == base::ErrorKind::unreadable_input || kind == base::ErrorKind::unwritable_output;
}

}  // namespace

RequestTarget parse_target(std::string_view target) {
  RequestTarget result;
  const std::size_t question = std::min(target.find('?'), target.size());
  result.path = decoded(target.substr(0, question), false);
  std::string_view query = target.substr(std::min(question + 1, target.size()));
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(part.size() + 1, query.size()));
    const std::size_t equals = std::min(part.find('='), part.size());
    result.query[decoded(part.substr(0, equals), true)] =
        decoded(part.substr(std::min(equals + 1, part.size())), true);
  }
  return result;
}

std::optional<std::map<std::string, std::string>> match_path(std::string_view pattern,
                                                             std::string_view path) {
  std::map<std::string, std::string> parameters;
  while (!pattern.empty() && !path.empty()) {
    const std::string_view expected = next_segment(pattern);
    const std::string_view segment = next_segment(path);
    if (expected.starts_with('{')) {
      if (segment.empty()) return std::nullopt;
      parameters.emplace(expected.substr(1, expected.size() - 2), segment);
    } else if (expected != segment) {
      return std::nullopt;
    }
  }
  if (!pattern.empty() || !path.empty()) return std::nullopt;
  return parameters;
}

std::string ApiCall::query_value(const std::string& name) const {
  const auto found = query.find(name);
  return found == query.end() ? "" : found->second;
}

std::optional<std::string> ApiCall::text(const char* field) const {
  if (!body.is_object() || !body.contains(field) || !body[field].is_string()) return std::nullopt;
  return body[field].get<std::string>();
}

std::optional<double> ApiCall::number(const char* field) const {
  if (!body.is_object() || !body.contains(field) || !body[field].is_number()) return std::nullopt;
  return body[field].get<double>();
}

std::vector<std::string> ApiCall::texts(const char* field) const {
  std::vector<std::string> result;
  if (!body.is_object() || !body.contains(field) || !body[field].is_array()) return result;
  for (const auto& element : body[field]) {
    if (element.is_string()) result.push_back(element.get<std::string>());
  }
  return result;
}

base::Result<std::vector<app::StepChoice>> steps_of(const nlohmann::json& json) {
  constexpr std::size_t max_steps = 2'000;
  const auto wrong = [] {
    return base::fail(base::ErrorKind::invalid_request,
                      "steps: expected an array of arrays, with one move or null per role");
  };
  std::vector<app::StepChoice> steps;
  if (json.is_null()) return steps;
  if (!json.is_array() || json.size() > max_steps) return wrong();
  for (const auto& step : json) {
    if (!step.is_array()) return wrong();
    app::StepChoice choice;
    for (const auto& move : step) {
      if (!move.is_string() && !move.is_null()) return wrong();
      choice.push_back(move.is_null() ? std::nullopt : std::optional(move.get<std::string>()));
    }
    steps.push_back(std::move(choice));
  }
  return steps;
}

int status_of(const base::Error& error) {
  switch (error.kind) {
    case base::ErrorKind::invalid_request:
      return error.message.starts_with("there is no such") ? 404 : 400;
    case base::ErrorKind::invalid_rules:
    case base::ErrorKind::unreadable_input:
      return 422;
    case base::ErrorKind::not_applicable:
      return 409;
    case base::ErrorKind::unwritable_output:
      return 507;
    case base::ErrorKind::memory_limit:
    case base::ErrorKind::time_limit:
      return 503;
  }
  return 500;
}

HttpResponse error_response(const base::Error& error) {
  base::Error shown = error;
  if (may_name_files(error.kind) && error.message.find('/') != std::string::npos) {
    shown.message = error.kind == base::ErrorKind::unreadable_input
                        ? "something that is stored cannot be read"
                        : "the result cannot be stored";
  }
  HttpResponse response = json_response(app::to_json(shown));
  response.status = status_of(error);
  return response;
}

HttpResponse json_response(std::string json) {
  return {.headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          .body = std::move(json)};
}

}  // namespace zermelo::serve

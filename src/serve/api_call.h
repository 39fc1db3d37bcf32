// A request to the interface, taken apart: the parameters of its path and query, and its body.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/service/position_view.h"
#include "base/result.h"
#include "serve/http_server.h"

namespace zermelo::serve {

struct RequestTarget {
  std::string path;
  std::map<std::string, std::string> query;
};

// Decodes the path and the query; what is not valid stays as it is.
RequestTarget parse_target(std::string_view target);

// The parameters of the path if it fits the pattern: "/games/{game}" fits "/games/nim".
std::optional<std::map<std::string, std::string>> match_path(std::string_view pattern,
                                                             std::string_view path);

struct ApiCall {
  std::map<std::string, std::string> parameters;  // of the path
  std::map<std::string, std::string> query;
  nlohmann::json body;

  const std::string& parameter(const std::string& name) const { return parameters.at(name); }
  std::string query_value(const std::string& name) const;
  // Fields of the body; nothing if missing or of another type.
  std::optional<std::string> text(const char* field) const;
  std::optional<double> number(const char* field) const;
  std::vector<std::string> texts(const char* field) const;
};

// Steps of a game in JSON: an array with one array per step, which has one move per role or null.
// Fails with invalid_request for anything else.
base::Result<std::vector<app::StepChoice>> steps_of(const nlohmann::json& json);

// The HTTP status of an error.
int status_of(const base::Error& error);
// The error as a response, without the paths of files.
HttpResponse error_response(const base::Error& error);
HttpResponse json_response(std::string json);

}  // namespace zermelo::serve

// Requests and responses as the text that HTTP sends. Beast parses and writes it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "serve/http_server.h"

namespace zermelo::serve {

inline constexpr std::size_t max_header = 16u << 10;

// The header of a request, or the status that refuses it.
struct ParsedHeader {
  int refusal = 0;
  HttpRequest request = {};
  std::optional<std::size_t> length = {};  // of the body; nullopt: to the end of the input
  bool keeps_open = false;
  bool expects_continue = false;
};

// Parses a whole header, whose lines may end without a carriage return.
ParsedHeader parse_header(std::string_view text, std::size_t max_body);

// The response as text. `has_length`: the body is complete, and its length is part of the header.
std::string response_text(const HttpResponse& response, bool keeps_open, bool has_length);

}  // namespace zermelo::serve

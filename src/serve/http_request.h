// One HTTP request, read piece by piece as it arrives, within limits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace zermelo::serve {

// Behind the empty line that closes the header of a request or response; 0 where there is none yet.
// Lines may end without a carriage return.
std::size_t header_end(std::string_view text);

class RequestReader {
 public:
  enum class Progress { incomplete, complete, refused };

  static constexpr std::size_t max_header = 16u << 10;

  explicit RequestReader(std::size_t max_body) : max_body_(max_body) {}

  // Takes what arrived. What follows a complete or refused request is ignored.
  Progress add(std::string_view bytes);
  // Nothing more will arrive: the end of a body without a length.
  Progress end();

  // What a refused request is answered with: 400, 405, 413, 431 or 501.
  int status() const { return status_; }
  // The body of a complete request.
  std::string take_body() { return std::move(text_); }
  std::size_t buffered() const { return text_.size(); }

 private:
  Progress refuse(int status);
  Progress read_header();
  Progress read_body();
  bool read_length(std::string_view line);

  std::size_t max_body_;
  std::string text_;  // of the header, then of the body
  bool in_body_ = false;
  std::optional<std::size_t> length_;  // of the body, where it is told
  bool finished_ = false;
  int status_ = 200;
};

// A whole response of HTTP/1.0 with its header.
std::string http_response(int status, std::string_view body);

}  // namespace zermelo::serve

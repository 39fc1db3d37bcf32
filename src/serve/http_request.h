// Incremental parser of one HTTP request, with size limits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace zermelo::serve {

// Returns the position after the empty line that ends the header of a request or response, or 0 if
// there is none yet. Lines may end without a carriage return.
std::size_t header_end(std::string_view text);

class RequestReader {
 public:
  enum class Progress { incomplete, complete, refused };

  static constexpr std::size_t max_header = 16u << 10;

  explicit RequestReader(std::size_t max_body) : max_body_(max_body) {}

  // Adds received bytes. Bytes after a complete or refused request are ignored.
  Progress add(std::string_view bytes);
  // Signals that the sender has closed its side, which ends a body without a length.
  Progress end();

  // The HTTP status for a refused request: 204, 400, 405, 413, 431 or 501.
  int status() const { return status_; }
  // Moves out the body of a complete request.
  std::string take_body() { return std::move(text_); }
  std::size_t buffered() const { return text_.size(); }

 private:
  Progress refuse(int status);
  Progress read_header();
  Progress read_body();
  bool read_length(std::string_view line);

  std::size_t max_body_;
  std::string text_;  // the header, then the body
  bool in_body_ = false;
  std::optional<std::size_t> length_;  // declared length of the body, if any
  bool finished_ = false;
  int status_ = 200;
};

// Returns a complete HTTP/1.0 response with its header.
std::string http_response(int status, std::string_view body);

}  // namespace zermelo::serve

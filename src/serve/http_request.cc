#include "serve/http_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace zermelo::serve {
namespace {

bool equal_in_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Payload Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Bad Request";
  }
}

}  // namespace

std::size_t header_end(std::string_view text) {
  const std::size_t strict = text.find("\r\n\r\n");
  const std::size_t lax = text.find("\n\n");
  if (strict == text.npos && lax == text.npos) return 0;
  return strict < lax ? strict + 4 : lax + 2;
}

RequestReader::Progress RequestReader::add(std::string_view bytes) {
  if (finished_) return status_ == 200 ? Progress::complete : Progress::refused;
  text_.append(bytes);
  return in_body_ ? read_body() : read_header();
}

RequestReader::Progress RequestReader::end() {
  if (finished_) return add({});
  if (!in_body_ || length_) return refuse(400);
  finished_ = true;
  return Progress::complete;
}

RequestReader::Progress RequestReader::refuse(int status) {
  finished_ = true;
  status_ = status;
  text_ = {};
  return Progress::refused;
}

RequestReader::Progress RequestReader::read_header() {
  const std::string_view seen = std::string_view(text_).substr(0, max_header);
  const std::size_t end = header_end(seen);
  if (end == 0) return text_.size() >= max_header ? refuse(431) : Progress::incomplete;
  std::string_view rest = seen.substr(0, end);
  const std::string_view request = trimmed(rest.substr(0, rest.find('\n')));
  if (request.find(" HTTP/1.") == request.npos) return refuse(400);
  if (request.rfind("OPTIONS ", 0) == 0) return refuse(204);  // CORS preflight request of a browser
  if (request.rfind("POST ", 0) != 0) return refuse(405);
  for (rest.remove_prefix(rest.find('\n') + 1); !rest.empty();) {
    const std::size_t line_end = std::min(rest.find('\n'), rest.size() - 1);
    if (!read_length(rest.substr(0, line_end))) return refuse(status_);
    rest.remove_prefix(line_end + 1);
  }
  if (length_ && *length_ > max_body_) return refuse(413);
  in_body_ = true;
  text_.erase(0, end);
  return read_body();
}

// Returns false, with status_ set, if the line declares an invalid or unsupported length.
bool RequestReader::read_length(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return true;
  const std::string_view name = trimmed(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  status_ = equal_in_any_case(name, "transfer-encoding") ? 501 : 200;
  if (equal_in_any_case(name, "content-length")) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    status_ = error == std::errc::result_out_of_range      ? 413
              : error != std::errc() || end != value.end() ? 400
              : length_.value_or(length) != length         ? 400
                                                           : 200;
    length_ = length;
  }
  return status_ == 200;
}

RequestReader::Progress RequestReader::read_body() {
  if (text_.size() > max_body_) return refuse(413);
  if (!length_ || text_.size() < *length_) return Progress::incomplete;
  text_.resize(*length_);
  finished_ = true;
  return Progress::complete;
}

std::string http_response(int status, std::string_view body) {
  return fmt::format(
      "HTTP/1.0 {} {}\r\n"
      "Content-Type: text/acl\r\n"
      "Content-Length: {}\r\n"
      "Connection: close\r\n"
      "Access-Control-Allow-Origin: *\r\n"
      "Access-Control-Allow-Methods: POST, OPTIONS\r\n"
      "Access-Control-Allow-Headers: Accept, Content-Type, Sender, Receiver\r\n\r\n{}",
      status, reason_of(status), body.size(), body);
}

}  // namespace zermelo::serve

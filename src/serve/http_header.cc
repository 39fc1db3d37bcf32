#include "serve/http_header.h"

namespace zermelo::serve {
namespace {

// The length of "HTTP/1.0 200".
constexpr std::size_t status_line_without_reason = 12;

}  // namespace

std::size_t header_end(std::string_view text) {
  for (std::size_t line = text.find('\n'); line != text.npos; line = text.find('\n', line + 1)) {
    const std::string_view rest = text.substr(line + 1);
    if (rest.starts_with('\n')) return line + 2;
    if (rest.starts_with("\r\n")) return line + 3;
  }
  return 0;
}

std::string standard_header(std::string_view header) {
  std::string result;
  result.reserve(header.size() + 64);
  while (!header.empty()) {
    const std::size_t end = std::min(header.find('\n'), header.size());
    std::string_view line = header.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_bare_status =
        result.empty() && line.starts_with("HTTP/1.") && line.size() == status_line_without_reason;
    result.append(line).append(is_bare_status ? " \r\n" : "\r\n");
    header.remove_prefix(std::min(end + 1, header.size()));
  }
  return result;
}

}  // namespace zermelo::serve

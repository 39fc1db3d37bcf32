#include "serve/log_line.h"

#include <cstddef>

namespace zermelo::serve {
namespace {

constexpr std::size_t max_line_length = 400;

}  // namespace

std::string log_line(std::string text) {
  const bool is_long = text.size() > max_line_length;
  if (is_long) text.resize(max_line_length);
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return is_long ? text + "..." : text;
}

}  // namespace zermelo::serve

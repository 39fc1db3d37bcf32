#include "serve/log_line.h"

#include <cstddef>

namespace zermelo::serve {
namespace {

constexpr std::size_t longest_line = 400;

}  // namespace

std::string log_line(std::string text) {
  const bool is_long = text.size() > longest_line;
  if (is_long) text.resize(longest_line);
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return is_long ? text + "..." : text;
}

}  // namespace zermelo::serve

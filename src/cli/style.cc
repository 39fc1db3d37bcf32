#include "cli/style.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <vector>

namespace zermelo::cli {
namespace {

constexpr std::array<std::string_view, 9> codes = {"0",  "1",  "2",  "31", "32",
                                                   "33", "34", "35", "36"};
constexpr std::array pieces = {Style::cyan,    Style::yellow, Style::green,
                               Style::magenta, Style::red,    Style::blue};
constexpr std::string_view empty_cell = ".";

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool terminal_has_colours() {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) != 0 && is_set("TERM") && std::string_view(terminal) != "dumb" &&
         !is_set("NO_COLOR");
}

// The text in words and the blanks between them.
std::vector<std::string> words_and_blanks(const std::string& line) {
  std::vector<std::string> parts;
  for (const char c : line) {
    const bool blank = c == ' ';
    if (parts.empty() || (parts.back().front() == ' ') != blank) parts.emplace_back();
    parts.back() += c;
  }
  return parts;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Calls visit(word, is_label) for each part of a board: the first word of a line and the last line
// are labels.
template <class Visit>
void visit_board(const std::string& drawn, Visit visit) {
  const auto lines = lines_of(drawn);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    bool is_label = true;
    for (const std::string& part : words_and_blanks(lines[i])) {
      visit(part, is_label || i + 1 == lines.size());
      if (part.front() != ' ') is_label = false;
    }
    visit(std::string("\n"), true);
  }
}

}  // namespace

Painter::Painter() : Painter(terminal_has_colours()) {}

std::string Painter::operator()(Style style, std::string_view text) const {
  if (!coloured_ || style == Style::plain || text.empty()) return std::string(text);
  return "\033[" + std::string(codes[static_cast<std::size_t>(style)]) + "m" + std::string(text) +
         "\033[0m";
}

std::string Painter::board(const std::string& drawn) const {
  if (!coloured_) return drawn;
  std::set<std::string> kinds;
  visit_board(drawn, [&](const std::string& part, bool is_label) {
    if (!is_label && part.front() != ' ' && part != empty_cell) kinds.insert(part);
  });
  std::string text;
  visit_board(drawn, [&](const std::string& part, bool is_label) {
    const auto kind = kinds.find(part);
    if (part == "\n" || part.front() == ' ') {
      text += part;
    } else if (is_label || kind == kinds.end()) {
      text += (*this)(Style::dim, part);
    } else {
      const auto number = static_cast<std::size_t>(std::distance(kinds.begin(), kind));
      text += (*this)(pieces[number % pieces.size()], part);
    }
  });
  return text;
}

}  // namespace zermelo::cli

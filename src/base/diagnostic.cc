#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace zermelo::base {
namespace {

constexpr std::size_t window = 100;

// The part of a line that is shown: [begin, end).
struct Window {
  std::size_t begin;
  std::size_t end;
};

// The bytes of a line that may be in the window. This bounds the work for very long lines. Requires
// place <= line.size().
Window bytes_near(std::string_view line, std::size_t place) {
  constexpr std::size_t reach = 4 * window;
  std::size_t begin = place > reach ? place - reach : 0;
  while (begin > 0 && begin < place && (line[begin] & 0xc0) == 0x80) ++begin;
  return {begin, std::min(line.size(), place + reach)};
}

// A character of a source line as it is shown. Its width is one, except for tabs.
struct Cell {
  std::string_view text;
  std::size_t offset;  // of its first byte
};

bool is_shown(Character character) {
  const char32_t c = character.code_point;
  return character.length > 0 && c != 0x7f && (c >= ' ' || c == '\t') && !is_invisible(c);
}

std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> result;
  for (std::size_t at = 0; at < line.size();) {
    const Character character = character_at(line, at);
    const std::size_t length = std::max<std::size_t>(character.length, 1);
    result.push_back({is_shown(character) ? line.substr(at, length) : ".", at});
    at += length;
  }
  return result;
}

std::size_t cells_before(const std::vector<Cell>& cells, std::size_t offset) {
  const auto after =
      std::lower_bound(cells.begin(), cells.end(), offset,
                       [](const Cell& cell, std::size_t o) { return cell.offset < o; });
  return static_cast<std::size_t>(after - cells.begin());
}

Window window_around(std::size_t caret, std::size_t size) {
  if (size <= window) return {0, size};
  const std::size_t begin = std::min(caret > window / 2 ? caret - window / 2 : 0, size - window);
  return {begin, begin + window};
}

std::string underline(const std::vector<Cell>& cells, Window shown, std::size_t caret,
                      std::size_t end) {
  std::string result;
  for (std::size_t i = shown.begin; i < caret; ++i) result += cells[i].text == "\t" ? '\t' : ' ';
  result += '^';
  if (end > caret + 1) result.append(std::min(end, shown.end) - caret - 1, '~');
  return result;
}

// The source line and the caret below it.
std::string excerpt(std::string_view line, std::size_t begin, std::size_t length) {
  begin = std::min(begin, line.size());
  const Window near = bytes_near(line, begin);
  const std::vector<Cell> cells = cells_of(line.substr(near.begin, near.end - near.begin));
  const std::size_t caret = cells_before(cells, begin - near.begin);
  const std::size_t end = cells_before(cells, begin - near.begin + length);
  const Window shown = window_around(caret, cells.size());
  std::string text;
  for (std::size_t i = shown.begin; i < shown.end; ++i) text += cells[i].text;
  return text + "\n" + underline(cells, shown, caret, end) + "\n";
}

}  // namespace

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::error;
  });
}

std::string format(const Diagnostic& diagnostic, const Source& source) {
  const auto [line, column] = source.position(diagnostic.span.begin);
  const char* severity = diagnostic.severity == Severity::error ? "error" : "warning";
  const std::size_t length = diagnostic.span.end - diagnostic.span.begin;
  return fmt::format("{}:{}:{}: {}: {} [{}]\n{}", source.name(), line, column, severity,
                     diagnostic.message, diagnostic.code,
                     excerpt(source.line(line), column - 1, length));
}

}  // namespace zermelo::base

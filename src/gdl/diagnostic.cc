#include "gdl/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/parser_utf8.h"

namespace zermelo::gdl {
namespace {

constexpr std::size_t window = 100;

// The part of a line that is shown: [begin, end).
struct Window {
  std::size_t begin;
  std::size_t end;
};

// The bytes of a line that could come into the window, so that a line of any length costs the same.
Window bytes_near(std::string_view line, std::size_t place) {
  constexpr std::size_t reach = 4 * window;
  place = std::min(place, line.size());
  std::size_t begin = place > reach ? place - reach : 0;
  while (begin > 0 && begin < place && (line[begin] & 0xc0) == 0x80) ++begin;
  return {begin, std::min(line.size(), place + reach)};
}

// A source line as it is shown: one string per character, all of width one but tabs.
std::vector<std::string> visible_characters(std::string_view line) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < line.size();) {
    const Character character = character_at(line, at);
    const bool shown = character.length > 0 && character.code_point != 0x7f &&
                       (character.code_point >= ' ' || line[at] == '\t') &&
                       !is_invisible(character.code_point);
    const std::size_t length = std::max<std::size_t>(character.length, 1);
    result.push_back(shown ? std::string(line.substr(at, length)) : std::string("."));
    at += length;
  }
  return result;
}

Window window_around(std::size_t caret, std::size_t size) {
  if (size <= window) return {0, size};
  const std::size_t begin = std::min(caret > window / 2 ? caret - window / 2 : 0, size - window);
  return {begin, begin + window};
}

std::string underline(const std::vector<std::string>& characters, Window shown, std::size_t caret,
                      std::size_t end) {
  std::string result;
  for (std::size_t i = shown.begin; i < caret; ++i) {
    result += i < characters.size() && characters[i] == "\t" ? '\t' : ' ';
  }
  result += '^';
  if (end > caret + 1) result.append(std::min(end, shown.end) - caret - 1, '~');
  return result;
}

}  // namespace

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::error;
  });
}

std::string format(const Diagnostic& diagnostic, const base::Source& source) {
  const auto [line_number, column] = source.position(diagnostic.span.begin);
  const char* severity = diagnostic.severity == Severity::error ? "error" : "warning";
  const std::string_view line = source.line(line_number);
  const Window near = bytes_near(line, column - 1);
  const std::string_view part = line.substr(near.begin, near.end - near.begin);
  const std::size_t start = std::min<std::size_t>(column - 1, line.size()) - near.begin;
  const std::size_t length =
      std::min<std::size_t>(diagnostic.span.end - diagnostic.span.begin, part.size() - start);

  const std::vector<std::string> characters = visible_characters(part);
  const std::size_t caret = visible_characters(part.substr(0, start)).size();
  const std::size_t end = visible_characters(part.substr(0, start + length)).size();
  const Window shown = window_around(caret, characters.size());
  std::string text;
  for (std::size_t i = shown.begin; i < shown.end; ++i) text += characters[i];
  return fmt::format("{}:{}:{}: {}: {} [{}]\n{}\n{}\n", source.name(), line_number, column,
                     severity, diagnostic.message, diagnostic.code, text,
                     underline(characters, shown, caret, end));
}

}  // namespace zermelo::gdl

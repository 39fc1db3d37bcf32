#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace zermelo::cli {
namespace {

constexpr std::size_t line_width = 100;

bool is_silent = false;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether the text ends with the number of a list, as "7.".
bool ends_with_number(std::string_view text) {
  if (text.size() < 2 || text.back() != '.' || !is_digit(text[text.size() - 2])) return false;
  const std::size_t word = text.rfind(' ') + 1;  // 0 if there is no space
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(word), text.end() - 1, is_digit);
}

// The last space within the width that is neither inside parentheses nor between a number and what
// it counts, so that "7. (mark 1 2)" stays on a line. npos if there is none.
std::size_t last_good_space(std::string_view text, std::size_t width) {
  std::size_t found = std::string_view::npos;
  int open = 0;
  for (std::size_t i = 0; i <= width && i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')') open = std::max(0, open - 1);
    if (text[i] == ' ' && open == 0 && !ends_with_number(text.substr(0, i))) found = i;
  }
  return found;
}

// Breaks the text at spaces into lines of at most `width` bytes; all but the first are indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  while (text.size() > width) {
    std::size_t cut = last_good_space(text, width);
    if (cut == std::string_view::npos || cut == 0) cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0) cut = std::min(text.find(' '), text.size());
    result.append(text.substr(0, cut));
    text.remove_prefix(std::min(cut + 1, text.size()));
    if (!text.empty()) result.append("\n").append(indent, ' ');
  }
  return result.append(text);
}

}  // namespace

void silence() { is_silent = true; }

void write_answer(std::string_view text) {
  if (is_silent) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw OutputError{errno};
}

void write_message(std::string_view text) {
  if (is_silent) return;
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_control = (code < ' ' && c != '\n' && c != '\t') || code == 0x7f;
    shown += is_control ? fmt::format("\\x{:02x}", code) : std::string(1, c);
  }
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void erase_line() { std::fputs("\r\033[K", stderr); }

ExitCode usage_error(std::string_view message) {
  write_message(fmt::format("zermelo: {}\n", message));
  return ExitCode::usage;
}

void flush_answer() {
  if (std::fflush(stdout) != 0) throw OutputError{errno};
}

std::string name_value_lines(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::size_t width = 0;
  for (const auto& [name, value] : lines) width = std::max(width, name.size());
  std::string result;
  for (const auto& [name, value] : lines) {
    result +=
        fmt::format("{:<{}}  {}\n", name, width, wrapped(value, line_width - width - 2, width + 2));
  }
  return result;
}

std::string columns(const std::vector<std::string>& titles,
                    const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::string& title : titles) widths.push_back(title.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string result;
  const auto add = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      result += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", row[i], widths[i]);
    }
    result += '\n';
  };
  add(titles);
  for (const auto& row : rows) add(row);
  return result;
}

}  // namespace zermelo::cli

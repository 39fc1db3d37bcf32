#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace zermelo::cli {
namespace {

constexpr std::size_t line_width = 100;

// Breaks the text at spaces into lines of at most `width` bytes; all but the first are indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  while (text.size() > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0) cut = std::min(text.find(' '), text.size());
    result.append(text.substr(0, cut));
    text.remove_prefix(std::min(cut + 1, text.size()));
    if (!text.empty()) result.append("\n").append(indent, ' ');
  }
  return result.append(text);
}

}  // namespace

void write_answer(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw OutputError{errno};
}

void write_message(std::string_view text) {
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

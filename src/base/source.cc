#include "base/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace zermelo::base {
namespace {

// A line ends with LF, CR LF or CR alone. The LF of a CR LF ends the line, not its CR.
bool ends_line(std::string_view text, std::size_t at) {
  return text[at] == '\n' || (text[at] == '\r' && text.substr(at + 1, 1) != "\n");
}

}  // namespace

Source::Source(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (ends_line(text_, i)) line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

Position Source::position(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

std::string_view Source::line(std::uint32_t line) const {
  const std::size_t begin = line_starts_[line - 1];
  std::size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  if (end > begin && end < text_.size() && text_[end] == '\n' && text_[end - 1] == '\r') --end;
  return text().substr(begin, end - begin);
}

namespace {

Result<Source> read_stream(std::FILE* stream, std::string name) {
  std::string text;
  char buffer[1 << 16];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, stream)) > 0) {
    if (text.size() + count > max_source_bytes) {
      return fail(ErrorKind::unreadable_input,
                  fmt::format("{}: file too large (limit {} MiB)", name, max_source_bytes >> 20));
    }
    text.append(buffer, count);
  }
  if (std::ferror(stream)) {
    return fail(ErrorKind::unreadable_input, fmt::format("{}: {}", name, std::strerror(errno)));
  }
  return Source(std::move(name), std::move(text));
}

}  // namespace

Result<Source> read_source(const std::string& path) {
  if (path == "-") return read_stream(stdin, "standard input");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return fail(ErrorKind::unreadable_input,
                fmt::format("{}: is a directory; expected the file of a game", path));
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) {
    return fail(ErrorKind::unreadable_input, fmt::format("{}: {}", path, std::strerror(errno)));
  }
  return read_stream(file.get(), path);
}

}  // namespace zermelo::base

// The text of an input and positions in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace zermelo::base {

// A range of bytes of a Source: [begin, end).
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Line and column count from 1. Columns count bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// The name of an input, as shown in messages, and its whole text.
class Source {
 public:
  Source() : Source("", "") {}
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view text(Span span) const {
    return text().substr(span.begin, span.end - span.begin);
  }

  Position position(std::uint32_t offset) const;
  // Returns the text of a line (counted from 1) without its line break.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

// The maximum size of an input. Rulesheets are small, and spans have 32 bits.
inline constexpr std::size_t max_source_bytes = 64u << 20;

// Reads a whole file, or standard input if the path is "-".
Result<Source> read_source(const std::string& path);

}  // namespace zermelo::base

// The little of UTF-8 that reading rules and showing places in them needs.
#pragma once

#include <cstdint>
#include <string_view>

namespace zermelo::base {

// A character of a text and its length in bytes; length 0 where the bytes are not UTF-8.
struct Character {
  char32_t code_point = 0;
  std::uint32_t length = 0;
};

// Requires at < text.size().
Character character_at(std::string_view text, std::size_t at);

// Blanks beyond ASCII, and marks without width that editors and web pages leave behind.
bool is_invisible(char32_t code_point);

// Requires UTF-8 text.
bool has_invisible(std::string_view text);

}  // namespace zermelo::base

// UTF-8 decoding for lexers and diagnostics.
#pragma once

#include <cstdint>
#include <string_view>

namespace zermelo::base {

// A character and its length in bytes. The length is 0 if the bytes are not valid UTF-8.
struct Character {
  char32_t code_point = 0;
  std::uint32_t length = 0;
};

// Requires at < text.size().
Character character_at(std::string_view text, std::size_t at);

// True for non-ASCII blanks and zero-width characters, which editors and web pages insert.
bool is_invisible(char32_t code_point);

// Requires valid UTF-8.
bool has_invisible(std::string_view text);

}  // namespace zermelo::base

#include "base/utf8.h"

namespace zermelo::base {
namespace {

// The length of a character by its first byte, 0 if the byte is not a valid first byte.
std::uint32_t length_by_first_byte(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

// Rejects overlong encodings, surrogates, and code points outside Unicode.
bool is_allowed(char32_t code_point, std::uint32_t length) {
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  return code_point >= least[length] && code_point <= 0x10ffff && !surrogate;
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::uint32_t length = length_by_first_byte(first);
  if (length == 1) return {first, 1};
  if (length == 0 || text.size() - at < length) return {};
  char32_t code_point = first & (0x7fu >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xc0) != 0x80) return {};
    code_point = code_point << 6 | (byte & 0x3fu);
  }
  return is_allowed(code_point, length) ? Character{code_point, length} : Character{};
}

bool is_invisible(char32_t c) {
  return (c >= 0x80 && c <= 0xa0) || c == 0xad || c == 0x1680 || (c >= 0x2000 && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202f) || (c >= 0x205f && c <= 0x2064) || c == 0x3000 || c == 0xfeff;
}

bool has_invisible(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (is_invisible(character.code_point)) return true;
    at += character.length;
  }
  return false;
}

}  // namespace zermelo::base

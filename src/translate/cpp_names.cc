#include "translate/cpp_names.h"

#include <fmt/format.h>

namespace zermelo::translate {

namespace {

constexpr std::size_t max_identifier_length = 60;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// "??" starts a trigraph for some compilers, so question marks are always escaped.
bool needs_no_escape(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?'; }

}  // namespace

std::string string_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (needs_no_escape(c)) {
      result += c;
    } else {
      result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return result + '"';
}

std::string Identifiers::make(std::string_view prefix, std::string_view name) {
  std::string base(prefix);
  for (const char c : name) {
    if (base.size() == max_identifier_length) break;
    if (is_letter_or_digit(c)) {
      base += c;
    } else if (base.back() != '_') {
      base += '_';
    }
  }
  if (base.back() == '_') base.pop_back();
  std::string candidate = base;
  while (!taken_.insert(candidate).second) {
    candidate = fmt::format("{}_{}", base, ++tried_[base] + 1);
  }
  return candidate;
}

}  // namespace zermelo::translate

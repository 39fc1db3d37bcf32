// The tokens of a .toss file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace zermelo::toss {

struct Token {
  enum class Kind : std::uint8_t {
    name,
    number,   // digits, a fraction and an exponent as C writes them, without a sign
    picture,  // between quotes
    symbol,   // ( ) [ ] { } | , ; : + - * / ^ = != < <= > >= -> <-
    end,
  };
  Kind kind = Kind::end;
  std::string_view text;  // of a picture without its quotes
  base::Span span;
};

struct Tokens {
  std::vector<Token> tokens;  // the last is `end`
  std::vector<base::Diagnostic> diagnostics;
};

// Reading ends with the first character that no token begins with.
Tokens tokenize(const base::Source& source);

// Words of formulas and rules, which cannot be names.
bool is_reserved(std::string_view name);
// Whether the text is a name that a file can contain.
bool is_name(std::string_view text);

}  // namespace zermelo::toss

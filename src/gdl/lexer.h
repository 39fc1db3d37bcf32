// Text to tokens, one at a time, for both syntaxes. docs/reference/syntax.md says what a name may contain.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/source.h"
#include "gdl/parser_problems.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    open,
    close,
    word,
    variable,
    unknown,
    // infix only
    implied_by,
    conjunction,
    disjunction,
    negation,
    comma,
    period,
  };

  Kind kind = Kind::end;
  base::Span span;
  Symbol name{};  // word and variable, the latter without its question mark
};

// What the lexer calls the infix variable `_`, every one of which is different.
inline constexpr std::string_view anonymous_name = "";

class Lexer {
 public:
  Lexer(std::string_view text, Syntax syntax, SymbolTable& symbols, Problems& problems);

  // The next token; `end` for ever after the last one or after a byte that is not text.
  Token next();
  void seek(std::uint32_t offset) { position_ = offset; }
  // Set when a byte was met that no text file contains; nothing after it is read.
  bool met_binary() const { return met_binary_; }

 private:
  void skip_blanks_and_comments();
  bool skip_blank();
  bool skip_comment();
  Token infix_token();
  Token punctuation(Token::Kind kind, std::uint32_t length);
  Token prefix_word();
  Token infix_word();
  Token infix_question_mark();
  Token quoted(Token::Kind kind, std::uint32_t begin);
  Token finish_quoted(Token::Kind kind, std::uint32_t begin, const std::string& name);
  Token unknown(std::uint32_t begin, std::uint32_t length, const char* code, std::string message);
  Token binary();
  bool starts_with(std::string_view prefix) const;
  std::uint32_t word_end(std::uint32_t begin) const;
  base::Span span_from(std::uint32_t begin) const { return {begin, position_}; }

  std::string_view text_;
  Syntax syntax_;
  SymbolTable& symbols_;
  Problems& problems_;
  std::uint32_t position_ = 0;
  bool met_binary_ = false;
};

// Whether a name can stand in infix text without quotes: not empty, and only of letters, digits,
// the signs `_ + - * /` and characters beyond ASCII.
bool is_plain_infix_name(std::string_view name);

// Decides by the first few words: prefix text begins with a parenthesis, infix text with a name.
Syntax recognise_syntax(std::string_view text);

}  // namespace zermelo::gdl

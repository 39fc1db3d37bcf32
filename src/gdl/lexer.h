// Splits text into tokens, for both syntaxes. docs/reference/syntax.md defines names.
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
  Symbol name{};  // of a word or variable, without the question mark
};

// The name the lexer gives to the infix variable `_`. Each occurrence is a different variable.
inline constexpr std::string_view anonymous_name = "";

class Lexer {
 public:
  Lexer(std::string_view text, Syntax syntax, SymbolTable& symbols, Problems& problems);

  // Returns the next token. After the last one, or after an invalid byte, it always returns `end`.
  Token next();
  void seek(std::uint32_t offset) { position_ = offset; }
  // True if the text contains an invalid byte. Nothing after it is read.
  bool found_binary() const { return found_binary_; }

 private:
  void skip_blanks_and_comments();
  bool skip_blank();
  bool skip_comment();
  Token infix_token();
  Token punctuation(Token::Kind kind, std::uint32_t length);
  Token prefix_word();
  Token infix_word();
  Token infix_question_mark();
  Token unexpected_character();
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
  bool found_binary_ = false;
};

// True if a name needs no quotes in infix syntax: it is not empty and contains only letters,
// digits,
// `_ + - * /` and non-ASCII characters.
bool is_plain_infix_name(std::string_view name);

// Recognises the syntax by the first words: prefix text starts with a parenthesis, infix text with
// a name.
Syntax recognise_syntax(std::string_view text);

}  // namespace zermelo::gdl

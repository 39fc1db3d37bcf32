#include "gdl/lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "gdl/arithmetic.h"

namespace zermelo::gdl {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

bool is_alphanumeric(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// Characters that end a name in prefix syntax.
bool is_prefix_delimiter(char c) { return is_space(c) || c == '(' || c == ')' || c == ';'; }

bool is_plain_infix_character(char c) {
  return is_alphanumeric(c) || is_beyond_ascii(c) || c == '_' || c == '+' || c == '-' || c == '*' ||
         c == '/';
}

bool is_name_character(char c) { return !is_prefix_delimiter(c) && !is_control(c) && c != '?'; }

}  // namespace

bool is_plain_infix_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_plain_infix_character);
}

Lexer::Lexer(std::string_view text, Syntax syntax, SymbolTable& symbols, Problems& problems)
    : text_(text), syntax_(syntax), symbols_(symbols), problems_(problems) {}

bool Lexer::starts_with(std::string_view prefix) const {
  return text_.substr(position_, prefix.size()) == prefix;
}

bool Lexer::skip_blank() {
  if (is_space(text_[position_])) {
    ++position_;
    return true;
  }
  const base::Character character = base::character_at(text_, position_);
  if (!base::is_invisible(character.code_point)) return false;
  position_ += character.length;
  return true;
}

bool Lexer::skip_comment() {
  const char c = text_[position_];
  if (c != ';' && !(c == '%' && syntax_ == Syntax::infix)) return false;
  position_ =
      static_cast<std::uint32_t>(std::min(text_.find_first_of("\r\n", position_), text_.size()));
  return true;
}

void Lexer::skip_blanks_and_comments() {
  while (position_ < text_.size() && (skip_blank() || skip_comment())) {
  }
}

Token Lexer::next() {
  skip_blanks_and_comments();
  if (found_binary_ || position_ >= text_.size())
    return {Token::Kind::end, span_from(position_), {}};
  if (is_control(text_[position_])) return binary();
  switch (text_[position_]) {
    case '(':
      return punctuation(Token::Kind::open, 1);
    case ')':
      return punctuation(Token::Kind::close, 1);
    default:
      return syntax_ == Syntax::prefix ? prefix_word() : infix_token();
  }
}

Token Lexer::punctuation(Token::Kind kind, std::uint32_t length) {
  position_ += length;
  return {kind, {position_ - length, position_}, {}};
}

Token Lexer::binary() {
  found_binary_ = true;
  problems_.drop_from(0);
  problems_.add("not-text", {position_, position_ + 1},
                fmt::format("byte 0x{:02x} is not allowed in UTF-8 text; expected a text file",
                            static_cast<unsigned char>(text_[position_])));
  return {Token::Kind::end, {position_, position_}, {}};
}

Token Lexer::unknown(std::uint32_t begin, std::uint32_t length, const char* code,
                     std::string message) {
  position_ = begin + length;
  problems_.add(code, span_from(begin), std::move(message));
  return {Token::Kind::unknown, span_from(begin), {}};
}

// The end of the longest run of name characters from `begin`, in this syntax. It stops before
// invalid bytes and invisible characters.
std::uint32_t Lexer::word_end(std::uint32_t begin) const {
  std::uint32_t end = begin;
  while (end < text_.size()) {
    const char c = text_[end];
    const bool belongs = syntax_ == Syntax::infix ? is_plain_infix_character(c)
                                                  : !is_prefix_delimiter(c) && !is_control(c);
    const base::Character character = base::character_at(text_, end);
    if (!belongs || character.length == 0 || base::is_invisible(character.code_point)) break;
    end += character.length;
  }
  return end;
}

Token Lexer::prefix_word() {
  const std::uint32_t begin = position_;
  position_ = word_end(begin);
  if (position_ == begin) return binary();
  std::string_view name = text_.substr(begin, position_ - begin);
  const bool is_variable = name.front() == '?';
  if (is_variable) name.remove_prefix(1);
  if (name.empty()) {
    return unknown(begin, 1, "unnamed-variable",
                   "a variable needs a name directly after its question mark");
  }
  if (const std::size_t mark = name.find('?'); mark != name.npos) {
    const auto at = static_cast<std::uint32_t>(name.data() - text_.data() + mark);
    problems_.add("question-mark-in-name", {at, at + 1},
                  "a question mark can only start a variable; put a space before it or remove it");
    return {Token::Kind::unknown, span_from(begin), {}};
  }
  return {is_variable ? Token::Kind::variable : Token::Kind::word, span_from(begin),
          symbols_.intern(name)};
}

Token Lexer::infix_token() {
  if (starts_with(":-") || starts_with("<=")) return punctuation(Token::Kind::implied_by, 2);
  switch (text_[position_]) {
    case '&':
      return punctuation(Token::Kind::conjunction, 1);
    case '|':
      return punctuation(Token::Kind::disjunction, 1);
    case '~':
      return punctuation(Token::Kind::negation, 1);
    case ',':
      return punctuation(Token::Kind::comma, 1);
    case '.':
      return punctuation(Token::Kind::period, 1);
    case '?':
      return infix_question_mark();
    case '\'':
      return quoted(Token::Kind::word, position_);
    default:
      return infix_word();
  }
}

Token Lexer::infix_word() {
  const std::uint32_t begin = position_;
  position_ = word_end(begin);
  if (position_ == begin) {
    if (is_beyond_ascii(text_[begin])) return binary();
    return unexpected_character();
  }
  const std::string_view name = text_.substr(begin, position_ - begin);
  const bool is_variable = is_upper(name.front()) || name.front() == '_';
  const Symbol symbol = symbols_.intern(name == "_" ? anonymous_name : name);
  return {is_variable ? Token::Kind::variable : Token::Kind::word, span_from(begin), symbol};
}

Token Lexer::unexpected_character() {
  const bool pair =
      position_ + 1 < text_.size() && !comparison_advice(text_.substr(position_, 2)).empty();
  const std::uint32_t length = pair ? 2 : 1;
  const std::string_view text = text_.substr(position_, length);
  const std::string comparison = comparison_advice(text);
  const std::string advice = comparison.empty()
                                 ? fmt::format("quote names that contain it, as in 'a{}b'", text)
                                 : comparison;
  return unknown(
      position_, length, "unexpected-character",
      fmt::format("unexpected character{} '{}'; {}", length == 1 ? "" : "s", text, advice));
}

Token Lexer::infix_question_mark() {
  const std::uint32_t begin = position_++;
  if (position_ < text_.size() && text_[position_] == '\'')
    return quoted(Token::Kind::variable, begin);
  position_ = word_end(position_);
  if (position_ == begin + 1) {
    return unknown(begin, 1, "unnamed-variable",
                   "a variable needs a name directly after its question mark");
  }
  return {Token::Kind::variable, span_from(begin),
          symbols_.intern(text_.substr(begin + 1, position_ - begin - 1))};
}

// Called at the opening quote. A quote inside a name is written twice.
Token Lexer::quoted(Token::Kind kind, std::uint32_t begin) {
  std::string name;
  for (++position_; position_ < text_.size() && !is_line_end(text_[position_]);) {
    if (text_[position_] == '\'' && !starts_with("''")) {
      ++position_;
      return finish_quoted(kind, begin, name);
    }
    const base::Character character = base::character_at(text_, position_);
    if (character.length == 0) return binary();
    name += text_.substr(position_, character.length);
    position_ += starts_with("''") ? 2 : character.length;
  }
  return unknown(begin, position_ - begin, "unclosed-quote",
                 "the quoted name is not closed on this line; add a ' after it");
}

Token Lexer::finish_quoted(Token::Kind kind, std::uint32_t begin, const std::string& name) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character) ||
      base::has_invisible(name)) {
    return unknown(
        begin, position_ - begin, "bad-quoted-name",
        "a quoted name must not be empty or contain a blank, parenthesis, semicolon, question "
        "mark or control character");
  }
  return {kind, span_from(begin), symbols_.intern(name)};
}

namespace {

// The length of the blank or comment, of either syntax, that starts at `at`; 0 if there is none.
std::size_t ignored_length(std::string_view text, std::size_t at) {
  if (is_space(text[at])) return 1;
  if (text[at] == ';' || text[at] == '%')
    return std::min(text.find_first_of("\r\n", at), text.size()) - at;
  const base::Character character = base::character_at(text, at);
  return base::is_invisible(character.code_point) ? character.length : 0;
}

std::size_t skip_ignored(std::string_view text, std::size_t at) {
  while (at < text.size() && ignored_length(text, at) > 0) at += ignored_length(text, at);
  return at;
}

std::size_t skip_word(std::string_view text, std::size_t at) {
  while (at < text.size() && !is_prefix_delimiter(text[at])) ++at;
  return at;
}

bool is_infix_operator(std::string_view word) {
  return word.substr(0, 2) == "<=" || word.find(":-") != word.npos ||
         word.find_first_of("'&|~") == 0;
}

}  // namespace

Syntax recognise_syntax(std::string_view text) {
  for (std::size_t at = skip_ignored(text, 0); at < text.size(); at = skip_ignored(text, at)) {
    const std::size_t begin = at;
    at = skip_word(text, begin);
    if (at == begin || text[begin] == '?') return Syntax::prefix;
    if (is_infix_operator(text.substr(begin, at - begin))) return Syntax::infix;
    if (at < text.size() && text[at] == '(') return Syntax::infix;
  }
  return Syntax::infix;
}

}  // namespace zermelo::gdl

#include "toss/lexer.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace zermelo::toss {
namespace {

constexpr std::array<std::string_view, 5> long_symbols = {"->", "<-", "<=", ">=", "!="};
constexpr std::string_view short_symbols = "()[]{}|,;:+-*/^=<>";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c) || c == '\''; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

class Lexer {
 public:
  explicit Lexer(const base::Source& source) : text_(source.text()) {}

  Tokens run() {
    for (skip_blanks(); at_ < text_.size() && result_.diagnostics.empty(); skip_blanks()) read();
    at_ = std::min(at_, text_.size());
    push(Token::Kind::end, at_);
    return std::move(result_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else {
        return;
      }
    }
  }

  void read() {
    if (begins_name(peek())) return read_while(Token::Kind::name, continues_name);
    if (is_digit(peek())) return read_number();
    if (peek() == '"') return read_picture();
    for (const std::string_view symbol : long_symbols) {
      if (text_.substr(at_, 2) == symbol) return push(Token::Kind::symbol, at_ + 2);
    }
    if (short_symbols.find(peek()) != std::string_view::npos) {
      return push(Token::Kind::symbol, at_ + 1);
    }
    refuse();
  }

  template <class Belongs>
  void read_while(Token::Kind kind, Belongs belongs) {
    std::size_t end = at_;
    while (end < text_.size() && belongs(text_[end])) ++end;
    push(kind, end);
  }

  std::size_t digits_end(std::size_t end) const {
    while (end < text_.size() && is_digit(text_[end])) ++end;
    return end;
  }

  void read_number() {
    std::size_t end = digits_end(at_);
    if (end < text_.size() && text_[end] == '.') end = digits_end(end + 1);
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '-' || text_[exponent] == '+')) ++exponent;
      if (digits_end(exponent) > exponent) end = digits_end(exponent);
    }
    push(Token::Kind::number, end);
  }

  void read_picture() {
    const std::size_t close = text_.find('"', at_ + 1);
    if (close == std::string_view::npos) {
      return report("unclosed-quote", at_ + 1, "this quote is not closed");
    }
    Token token{Token::Kind::picture, text_.substr(at_ + 1, close - at_ - 1), span(close + 1)};
    result_.tokens.push_back(token);
    at_ = close + 1;
  }

  void refuse() {
    const base::Character character = base::character_at(text_, at_);
    if (character.length == 0 || character.code_point < ' ') {
      return report("not-text", at_ + 1, "this byte belongs to no text");
    }
    report("unexpected-character", at_ + character.length,
           "no part of a game begins with this character");
  }

  base::Span span(std::size_t end) const {
    return {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)};
  }

  void report(std::string code, std::size_t end, std::string message) {
    result_.diagnostics.push_back(
        {base::Severity::error, std::move(code), span(end), std::move(message)});
  }

  void push(Token::Kind kind, std::size_t end) {
    result_.tokens.push_back({kind, text_.substr(at_, end - at_), span(end)});
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Tokens result_;
};

}  // namespace

Tokens tokenize(const base::Source& source) { return Lexer(source).run(); }

bool is_reserved(std::string_view name) {
  constexpr std::array<std::string_view, 26> words = {
      "and", "or",   "not", "ex",     "all",    "tc",    "lfp",   "gfp",  "let",
      "in",  "emb",  "pre", "post",   "Sum",    "true",  "false", "with", "PLAYERS",
      "REL", "RULE", "LOC", "PLAYER", "PAYOFF", "MOVES", "START", "MODEL"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

bool is_name(std::string_view text) {
  return !text.empty() && begins_name(text.front()) &&
         std::all_of(text.begin(), text.end(), continues_name) && !is_reserved(text);
}

}  // namespace zermelo::toss

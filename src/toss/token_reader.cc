#include "toss/token_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace zermelo::toss {

bool begins_part(std::string_view word) {
  constexpr std::array<std::string_view, 6> words = {"PLAYERS", "REL",   "RULE",
                                                     "LOC",     "START", "MODEL"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

void TokenReader::expect(std::string_view text) {
  if (!accept(text)) unexpected(fmt::format("'{}'", text));
}

syntax::Word TokenReader::expect_name(const char* what) {
  const Token& token = peek();
  if (token.kind == Token::Kind::name && !is_reserved(token.text)) {
    next();
    return {std::string(token.text), token.span};
  }
  unexpected(what);
  return {};
}

double TokenReader::expect_number() {
  const Token& token = peek();
  if (token.kind != Token::Kind::number) {
    unexpected("a number");
    return 0;
  }
  double value = 0;
  const auto [end, error] =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (error != std::errc() || value > 1e300) {
    fail("bad-number", token.span, "this number is too large");
    return 0;
  }
  next();
  return value;
}

void TokenReader::fail(std::string code, base::Span span, std::string message) {
  if (failed_) return;
  diagnostics_.push_back({base::Severity::error, std::move(code), span, std::move(message)});
  failed_ = true;
}

void TokenReader::unexpected(std::string expected) {
  if (failed_) return;
  const Token& token = peek();
  // Where the tokens end early, their reader has said why.
  if (token.kind == Token::Kind::end && !diagnostics_.empty() &&
      diagnostics_.front().span.begin == token.span.begin) {
    failed_ = true;
    return;
  }
  const std::string found =
      token.kind == Token::Kind::end ? "the file ends" : fmt::format("'{}' stands", token.text);
  const bool picture = token.kind == Token::Kind::picture;
  fail("unexpected-token", token.span,
       fmt::format("{} where {} is expected", picture ? "a picture stands" : found, expected));
}

void TokenReader::resume() {
  if (!failed_) return;
  failed_ = false;
  while (!at_end() && !(peek().kind == Token::Kind::name && begins_part(peek().text))) next();
}

}  // namespace zermelo::toss

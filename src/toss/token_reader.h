// The tokens of a file, one after another, with what all parts of the parser need of them. After a
// syntax error every question is answered as at the end of the file, so that all loops end, until
// `resume` continues with the next part of the game.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toss/lexer.h"
#include "toss/syntax.h"

namespace zermelo::toss {

class TokenReader {
 public:
  explicit TokenReader(Tokens tokens)
      : tokens_(std::move(tokens.tokens)), diagnostics_(std::move(tokens.diagnostics)) {
    end_ = tokens_.back();
    for (const base::Diagnostic& diagnostic : diagnostics_) end_.span = diagnostic.span;
  }

  const Token& peek(std::size_t ahead = 0) const {
    const std::size_t index = at_ + ahead;
    return failed_ || index >= tokens_.size() ? end_ : tokens_[index];
  }
  bool at_end() const { return peek().kind == Token::Kind::end; }
  bool is(std::string_view text, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    const bool word = token.kind == Token::Kind::name || token.kind == Token::Kind::symbol;
    return word && token.text == text;
  }
  Token next() {
    const Token token = peek();
    if (!at_end()) ++at_;
    return token;
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    next();
    return true;
  }
  // Reports what stands here where it is not the text.
  void expect(std::string_view text);
  syntax::Word expect_name(const char* what);
  double expect_number();
  // From the beginning of a token to the end of the last one read.
  base::Span since(base::Span first) const {
    return {first.begin, at_ > 0 ? std::max(first.end, tokens_[at_ - 1].span.end) : first.end};
  }

  bool failed() const { return failed_; }
  // Syntax errors of what is read next; only the first until `resume` is reported.
  void fail(std::string code, base::Span span, std::string message);
  void unexpected(std::string expected);
  // Continues at the next word that begins a part of a game.
  void resume();

  std::vector<base::Diagnostic>& diagnostics() { return diagnostics_; }
  base::Span end_span() const { return tokens_.back().span; }

 private:
  std::vector<Token> tokens_;
  std::vector<base::Diagnostic> diagnostics_;
  Token end_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// Whether a part of a game begins with the word.
bool begins_part(std::string_view word);

}  // namespace zermelo::toss

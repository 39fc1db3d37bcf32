#include "translate/gddl/expression.h"

#include <fmt/format.h>

#include <cctype>

namespace zermelo::translate::gddl {

namespace {

constexpr std::size_t max_depth = 500;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class ExpressionReader {
 public:
  explicit ExpressionReader(const base::Source& source) : source_(source), text_(source.text()) {}

  base::Result<std::vector<Expression>> run() {
    std::vector<Expression> open = {Expression{true, "", {}, {}}};
    for (skip(); position_ < text_.size(); skip()) {
      const char c = text_[position_];
      if (c == '(') {
        if (open.size() > max_depth) return fail(here(), "parentheses nest too deeply");
        open.push_back({true, "", {}, here()});
        ++position_;
      } else if (c == ')') {
        if (open.size() == 1) return fail(here(), "this parenthesis closes nothing");
        close(open);
      } else {
        open.back().items.push_back(word());
      }
    }
    if (open.size() > 1) return fail(open.back().span, "this parenthesis is not closed");
    return std::move(open[0].items);
  }

 private:
  base::Span here() const { return {position_, position_ + 1}; }

  tl::unexpected<base::Error> fail(base::Span span, const std::string& message) const {
    return tl::unexpected(error_at(source_, span, message));
  }

  void skip() {
    while (position_ < text_.size() && (is_blank(text_[position_]) || text_[position_] == ';')) {
      if (text_[position_] != ';') {
        ++position_;
        continue;
      }
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    }
  }

  void close(std::vector<Expression>& open) {
    Expression closed = std::move(open.back());
    open.pop_back();
    closed.span.end = ++position_;
    open.back().items.push_back(std::move(closed));
  }

  Expression word() {
    Expression result{false, "", {}, here()};
    while (position_ < text_.size() && !is_blank(text_[position_]) && text_[position_] != '(' &&
           text_[position_] != ')' && text_[position_] != ';') {
      result.word +=
          static_cast<char>(std::tolower(static_cast<unsigned char>(text_[position_++])));
    }
    result.span.end = position_;
    return result;
  }

  const base::Source& source_;
  std::string_view text_;
  std::uint32_t position_ = 0;
};

}  // namespace

base::Error error_at(const base::Source& source, base::Span span, const std::string& message) {
  const base::Position place = source.position(span.begin);
  return {base::ErrorKind::invalid_rules,
          fmt::format("{}:{}:{}: {}", source.name(), place.line, place.column, message)};
}

base::Result<std::vector<Expression>> read_expressions(const base::Source& source) {
  return ExpressionReader(source).run();
}

}  // namespace zermelo::translate::gddl

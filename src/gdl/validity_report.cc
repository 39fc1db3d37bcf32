#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/spelling.h"
#include "gdl/arithmetic.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

constexpr std::size_t max_name_length = 60;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_space_or_control(char c) { return static_cast<unsigned char>(c) <= ' '; }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

// The start of the name in the text of a term: after a parenthesis, blanks and comments in prefix
// syntax, after a quote in infix syntax.
std::size_t name_start(std::string_view text, Syntax syntax) {
  if (syntax == Syntax::infix) return text.substr(0, 1) == "'" ? 1 : 0;
  std::size_t at = 0;
  while (at < text.size() &&
         (text[at] == '(' || text[at] == ';' || is_space_or_control(text[at]))) {
    at = text[at] == ';' ? std::min(text.find_first_of("\r\n", at), text.size()) : at + 1;
  }
  return at;
}

}  // namespace

std::string counted_arguments(const Term& term) {
  const std::size_t count = term.arguments.size();
  return fmt::format("{} argument{}", count, count == 1 ? "" : "s");
}

void Report::error(const char* code, base::Span span, std::string message) {
  diagnostics_.push_back({Severity::error, code, span, std::move(message)});
}

void Report::warning(const char* code, base::Span span, std::string message) {
  diagnostics_.push_back({Severity::warning, code, span, std::move(message)});
}

std::string Report::name(const Term& term) const {
  const std::string& known = rulesheet_.symbols.name(term.name);
  if (!rulesheet_.source || term.span.end > rulesheet_.source->text().size()) return known;
  const std::string_view text = rulesheet_.source->text(term.span);
  if (term.kind == Term::Kind::variable && !text.empty()) return std::string(text);
  const std::string_view written = text.substr(name_start(text, rulesheet_.syntax), known.size());
  return equal_ignoring_case(written, known) ? std::string(written) : known;
}

std::string Report::quoted(const Term& term) const { return quoted(name(term)); }

std::string Report::quoted(std::string_view name) const {
  if (name.size() <= max_name_length) return fmt::format("'{}'", name);
  return fmt::format("'{}...'", name.substr(0, max_name_length));
}

std::string Report::with_arity(const Term& term) const {
  return fmt::format("{} with {}", quoted(term), counted_arguments(term));
}

std::string Report::line(base::Span span) const {
  if (!rulesheet_.source) return "another line";
  return fmt::format("line {}", rulesheet_.source->position(span.begin).line);
}

std::string Report::computed_variable(const Term& variable) const {
  const std::string written = name(variable);
  const std::string_view operation = operator_in_name(written);
  if (operation.empty()) return {};
  return fmt::format("'{}' is the name of a variable and computes nothing; {}", written,
                     arithmetic_advice(operation, rulesheet_.syntax));
}

std::string Report::suggestion(const Term& term, const std::vector<std::string>& candidates,
                               std::string_view advice) {
  if (suggestions_left_ == 0) return std::string(advice);
  --suggestions_left_;
  const auto similar = base::similar_name(rulesheet_.symbols.name(term.name), candidates);
  return similar ? fmt::format("did you mean '{}'?", *similar) : std::string(advice);
}

std::string Report::example(std::string_view name, std::string_view argument) const {
  if (argument.empty()) return fmt::format("'{}'", name);
  return rulesheet_.syntax == Syntax::prefix ? fmt::format("'({} {})'", name, argument)
                                             : fmt::format("'{}({})'", name, argument);
}

std::vector<Diagnostic> Report::take() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::tie(a.span.begin, a.severity) < std::tie(b.span.begin, b.severity);
                   });
  return std::move(diagnostics_);
}

}  // namespace zermelo::gdl

#include "gdl/read_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/limited_steps.h"
#include "gdl/parser.h"
#include "gdl/validity.h"

namespace zermelo::gdl {
namespace {

bool is_error(const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; }

// The validity of a text that was not read to its end cannot be checked.
bool was_read(const ParseResult& parsed) {
  return std::none_of(parsed.diagnostics.begin(), parsed.diagnostics.end(),
                      [](const auto& diagnostic) { return diagnostic.code == "not-text"; });
}

// Whether a problem found by the validity checks cannot be due to a clause lost to a syntax error.
bool holds_despite_lost_clauses(const Diagnostic& diagnostic) {
  return is_error(diagnostic) && diagnostic.code.rfind("missing-", 0) != 0;
}

std::vector<Diagnostic> merged(std::vector<Diagnostic> syntax, std::vector<Diagnostic> validity) {
  const bool clauses_lost = has_errors(syntax);
  for (auto& diagnostic : validity) {
    if (!clauses_lost || holds_despite_lost_clauses(diagnostic))
      syntax.push_back(std::move(diagnostic));
  }
  std::stable_sort(syntax.begin(), syntax.end(),
                   [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
  return syntax;
}

std::string first_error(const CheckedRules& rules) {
  const auto& all = rules.diagnostics;
  const Diagnostic& first = *std::find_if(all.begin(), all.end(), is_error);
  const base::Source& source = *rules.rulesheet->source;
  const base::Position position = source.position(first.span.begin);
  return fmt::format("{}:{}:{}: not valid GDL ({} error{}): {}", source.name(), position.line,
                     position.column, rules.errors(), rules.errors() == 1 ? "" : "s",
                     first.message);
}

CheckedRules parse_and_check(std::shared_ptr<const base::Source> source,
                             const base::Limits& limits) {
  ParseResult parsed = parse(std::move(source), limits);
  const bool is_text = was_read(parsed);
  auto validity = is_text ? check_validity(parsed.rulesheet, limits) : std::vector<Diagnostic>();
  return {std::make_shared<const Rulesheet>(std::move(parsed.rulesheet)),
          merged(std::move(parsed.diagnostics), std::move(validity)), is_text};
}

}  // namespace

std::size_t CheckedRules::errors() const {
  return static_cast<std::size_t>(std::count_if(diagnostics.begin(), diagnostics.end(), is_error));
}

CheckedRules check_rules(std::shared_ptr<const base::Source> source) {
  return parse_and_check(std::move(source), base::Limits());
}

base::Result<CheckedRules> check_rules_within(const base::Limits& limits,
                                              std::shared_ptr<const base::Source> source) {
  return base::within_limits([&] { return parse_and_check(std::move(source), limits); });
}

base::Result<std::shared_ptr<const Rulesheet>> read_rules(
    std::shared_ptr<const base::Source> source, const base::Limits& limits) {
  auto rules = check_rules_within(limits, std::move(source));
  if (!rules) return tl::unexpected(rules.error());
  if (rules->is_valid()) return std::move(rules->rulesheet);
  return base::fail(base::ErrorKind::invalid_rules, first_error(*rules));
}

}  // namespace zermelo::gdl

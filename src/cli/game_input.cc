#include "cli/game_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/source.h"
#include "cli/output.h"
#include "gdl/parser.h"
#include "gdl/validity.h"

namespace zermelo::cli {
namespace {

void show_errors(const CheckedRules& rules) {
  for (const auto& diagnostic : rules.diagnostics) {
    if (diagnostic.severity == gdl::Severity::error) {
      write_message(gdl::format(diagnostic, *rules.rulesheet->source));
    }
  }
}

// A text that is not read to its end is no rulesheet whose validity could be checked.
bool was_read(const gdl::ParseResult& parsed) {
  return std::none_of(parsed.diagnostics.begin(), parsed.diagnostics.end(),
                      [](const auto& diagnostic) { return diagnostic.code == "not-text"; });
}

// Whether a diagnostic of the validity checks says something that a clause lost to a syntax error
// cannot have caused.
bool holds_despite_lost_clauses(const gdl::Diagnostic& diagnostic) {
  return diagnostic.severity == gdl::Severity::error && diagnostic.code.rfind("missing-", 0) != 0;
}

std::vector<gdl::Diagnostic> merged(std::vector<gdl::Diagnostic> syntax,
                                    std::vector<gdl::Diagnostic> validity) {
  const bool clauses_lost = gdl::has_errors(syntax);
  for (auto& diagnostic : validity) {
    if (!clauses_lost || holds_despite_lost_clauses(diagnostic))
      syntax.push_back(std::move(diagnostic));
  }
  std::stable_sort(syntax.begin(), syntax.end(),
                   [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
  return syntax;
}

}  // namespace

std::size_t count_errors(const std::vector<gdl::Diagnostic>& diagnostics) {
  std::size_t count = 0;
  for (const auto& diagnostic : diagnostics) count += diagnostic.severity == gdl::Severity::error;
  return count;
}

base::Result<CheckedRules> read_and_check(const std::string& path) {
  auto source = base::read_source(path);
  if (!source) return tl::unexpected(source.error());
  gdl::ParseResult parsed = gdl::parse(std::make_shared<const base::Source>(std::move(*source)));
  const bool is_text = was_read(parsed);
  auto validity = is_text ? gdl::check_validity(parsed.rulesheet) : std::vector<gdl::Diagnostic>();
  return CheckedRules{std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet)),
                      merged(std::move(parsed.diagnostics), std::move(validity)), is_text};
}

base::Result<std::shared_ptr<const gdl::Rulesheet>> read_game(const std::string& path) {
  auto rules = read_and_check(path);
  if (!rules) return tl::unexpected(rules.error());
  const std::string& name = rules->rulesheet->source->name();
  if (const std::size_t errors = count_errors(rules->diagnostics); errors > 0) {
    show_errors(*rules);
    return base::fail(base::ErrorKind::invalid_rules,
                      fmt::format("{}: not valid GDL, {}", name, counted(errors, "error")));
  }
  if (const std::size_t warnings = rules->diagnostics.size(); warnings > 0) {
    write_message(
        fmt::format("{}: {}, shown by `zermelo check`\n", name, counted(warnings, "warning")));
  }
  return rules->rulesheet;
}

}  // namespace zermelo::cli

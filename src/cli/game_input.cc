#include "cli/game_input.h"

#include <fmt/format.h>

#include <utility>

#include "base/source.h"
#include "cli/output.h"
#include "gdl/parser.h"
#include "gdl/validity.h"

namespace zermelo::cli {
namespace {

void show(const CheckedRules& rules, gdl::Severity severity) {
  for (const auto& diagnostic : rules.diagnostics) {
    if (diagnostic.severity == severity) {
      write_message(gdl::format(diagnostic, *rules.rulesheet->source) + "\n");
    }
  }
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
  std::vector<gdl::Diagnostic> diagnostics = std::move(parsed.diagnostics);
  if (!gdl::has_errors(diagnostics)) {
    for (auto& diagnostic : gdl::check_validity(parsed.rulesheet)) {
      diagnostics.push_back(std::move(diagnostic));
    }
  }
  return CheckedRules{std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet)),
                      std::move(diagnostics)};
}

base::Result<std::shared_ptr<const gdl::Rulesheet>> read_game(const std::string& path) {
  auto rules = read_and_check(path);
  if (!rules) return tl::unexpected(rules.error());
  const std::string& name = rules->rulesheet->source->name();
  if (const std::size_t errors = count_errors(rules->diagnostics); errors > 0) {
    show(*rules, gdl::Severity::error);
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

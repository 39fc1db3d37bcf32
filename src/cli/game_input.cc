#include "cli/game_input.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/output.h"
#include "translate/toss/read_toss.h"

namespace zermelo::cli {
namespace {

void show_errors(const gdl::CheckedRules& rules) {
  for (const auto& diagnostic : rules.diagnostics) {
    if (diagnostic.severity == gdl::Severity::error) {
      write_message(gdl::format(diagnostic, *rules.rulesheet->source));
    }
  }
}

}  // namespace

base::Result<app::Rules> read_game(const std::string& path, const app::ResourceLimits& limits) {
  const app::CheckedFile file = app::check_file(path, limits.start({}));
  if (!file.rules) return tl::unexpected(file.rules.error());
  const gdl::CheckedRules& rules = *file.rules;
  const std::string& name = rules.rulesheet->source->name();
  if (!rules.is_valid()) {
    const bool is_toss = translate::toss::is_toss(*rules.rulesheet->source);
    const char* language = is_toss ? "as a Toss game" : "GDL";
    show_errors(rules);
    return base::fail(
        base::ErrorKind::invalid_rules,
        fmt::format("{}: not valid {}, {}", name, language, counted(rules.errors(), "error")));
  }
  if (rules.warnings() > 0) {
    write_message(
        fmt::format("{}: {}; see `zermelo check`\n", name, counted(rules.warnings(), "warning")));
  }
  return rules.rulesheet;
}

std::string title_of_game(const std::string& path) {
  return path == "-" ? "" : std::filesystem::path(path).stem().string();
}

}  // namespace zermelo::cli

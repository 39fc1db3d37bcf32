#include "cli/game_input.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/functions/external_functions.h"
#include "cli/output.h"
#include "gdl/functions.h"
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

// The functions of the game that was read last.
std::shared_ptr<const gdl::ExternalModules>& functions_in_use() {
  static std::shared_ptr<const gdl::ExternalModules> functions;
  return functions;
}

base::Result<app::Rules> with_functions(const app::Rules& rules,
                                        const std::vector<std::string>& allow) {
  std::vector<app::AllowedModule> modules;
  for (const std::string& text : allow) {
    auto module = app::allowed_module_of(text);
    if (!module) return tl::unexpected(module.error());
    modules.push_back(std::move(*module));
  }
  std::error_code unknown;
  const std::string host = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  auto result = app::with_functions(rules, modules, {.host = host});
  if (result) functions_in_use() = (*result)->external;
  return result;
}

}  // namespace

std::optional<base::Error> failure_of_functions() {
  if (!functions_in_use()) return std::nullopt;
  for (const auto& [name, module] : functions_in_use()->by_name) {
    if (auto failure = module->failure()) return failure;
  }
  return std::nullopt;
}

base::Result<app::Rules> read_game(const std::string& path, const app::ResourceLimits& limits,
                                   const std::vector<std::string>& allow) {
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
  return with_functions(rules.rulesheet, allow);
}

std::string title_of_game(const std::string& path) {
  return path == "-" ? "" : std::filesystem::path(path).stem().string();
}

}  // namespace zermelo::cli

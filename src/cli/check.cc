// check GAME...: are the rules valid, and what is wrong with them.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> paths;
  bool json = false;
};

const char* name_of(gdl::Severity severity) {
  return severity == gdl::Severity::error ? "error" : "warning";
}

Json to_json(const gdl::Diagnostic& diagnostic, const base::Source& source) {
  const base::Position position = source.position(diagnostic.span.begin);
  return {{"severity", name_of(diagnostic.severity)},
          {"code", diagnostic.code},
          {"line", position.line},
          {"column", position.column},
          {"message", diagnostic.message}};
}

Json to_json(const std::string& path, const CheckedRules& rules) {
  Json diagnostics = Json::array();
  for (const auto& diagnostic : rules.diagnostics) {
    diagnostics.push_back(to_json(diagnostic, *rules.rulesheet->source));
  }
  return {
      {"file", path}, {"valid", !gdl::has_errors(rules.diagnostics)}, {"diagnostics", diagnostics}};
}

// A file that could not be read has no place in it to point to: line and column are 0.
Json to_json(const std::string& path, const base::Error& error) {
  const Json diagnostic = {{"severity", "error"},
                           {"code", "unreadable"},
                           {"line", 0},
                           {"column", 0},
                           {"message", error.message}};
  return {{"file", path}, {"valid", false}, {"diagnostics", Json::array({diagnostic})}};
}

std::string verdict(const CheckedRules& rules) {
  const std::size_t errors = count_errors(rules.diagnostics);
  const std::size_t warnings = rules.diagnostics.size() - errors;
  std::string text = errors > 0 ? "invalid, " + counted(errors, "error") : "valid";
  if (warnings > 0) text += ", " + counted(warnings, "warning");
  return text;
}

void show(const CheckedRules& rules) {
  for (const auto& diagnostic : rules.diagnostics) {
    write_message(gdl::format(diagnostic, *rules.rulesheet->source));
  }
  write_answer(fmt::format("{}: {}\n", rules.rulesheet->source->name(), verdict(rules)));
}

ExitCode outcome(const CheckedRules& rules) {
  if (!gdl::has_errors(rules.diagnostics)) return ExitCode::success;
  return rules.is_text ? ExitCode::answer_is_no : ExitCode::bad_input;
}

// Shows one file's diagnostics or adds them to `files`, and says what the file alone comes to.
ExitCode check_file(const std::string& path, bool json, Json& files) {
  const auto rules = read_and_check(path);
  if (!rules) {
    write_message(fmt::format("zermelo: {}\n", rules.error().message));
    if (json) files.push_back(to_json(path, rules.error()));
    return exit_code_of(rules.error().kind);
  }
  if (json) {
    files.push_back(to_json(path, *rules));
  } else {
    show(*rules);
  }
  return outcome(*rules);
}

ExitCode check(const Options& options) {
  Json files = Json::array();
  ExitCode worst = ExitCode::success;
  for (const std::string& path : options.paths) {
    worst = std::max(worst, check_file(path, options.json, files));
  }
  if (options.json) write_json({{"files", files}});
  return worst;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_arguments(app, "GAME", options->paths, Presence::required,
                "Files with rules in prefix or infix syntax; - reads standard input");
  add_json_option(app, options->json);
  return [options] { return check(*options); };
}

}  // namespace

const Command check_command = {"check", "Check the validity of rules and locate every problem",
                               "zermelo check games/tic_tac_toe.kif", declare};

}  // namespace zermelo::cli

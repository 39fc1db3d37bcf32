// check GAME...: checks rules and locates every problem.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/json.h"
#include "app/know.h"
#include "app/rules.h"
#include "cli/command.h"
#include "cli/knowledge_text.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> paths;
  bool knowledge = false;
  LimitOptions limits;
  bool json = false;
};

std::string validity_verdict(const gdl::CheckedRules& rules) {
  std::string text = rules.is_valid() ? "valid" : "invalid, " + counted(rules.errors(), "error");
  if (rules.warnings() > 0) text += ", " + counted(rules.warnings(), "warning");
  return text;
}

void show(const gdl::CheckedRules& rules) {
  for (const auto& diagnostic : rules.diagnostics) {
    write_message(gdl::format(diagnostic, *rules.rulesheet->source));
  }
  write_answer(fmt::format("{}: {}\n", rules.rulesheet->source->name(), validity_verdict(rules)));
}

// The answer is yes if every player knows its legal moves, the end and its goal.
ExitCode show(const base::Result<know::KnowledgeProperties>& knowledge, bool json) {
  if (!knowledge) {
    write_message(fmt::format("zermelo: {}\n", knowledge.error().message));
    return exit_code_of(knowledge.error().kind);
  }
  if (!json) write_answer(name_value_lines(knowledge_lines(*knowledge)));
  const bool refuted =
      std::any_of(knowledge->players.begin(), knowledge->players.end(),
                  [](const auto& player) { return player.moves || player.end || player.goal; });
  if (refuted) return ExitCode::answer_is_no;
  return knowledge->limit ? exit_code_of(knowledge->limit->kind) : ExitCode::success;
}

// Prints the diagnostics of one file, unless JSON is wanted. Returns the exit code for this file.
ExitCode show(const app::CheckedFile& file, bool json) {
  if (!file.rules) {
    write_message(fmt::format("zermelo: {}\n", file.rules.error().message));
    return exit_code_of(file.rules.error().kind);
  }
  if (!json) show(*file.rules);
  if (file.rules->is_valid())
    return file.knowledge ? show(*file.knowledge, json) : ExitCode::success;
  return file.rules->is_text ? ExitCode::answer_is_no : ExitCode::bad_input;
}

app::CheckedFile check_one(const std::string& path, const CheckOptions& options) {
  app::CheckedFile file = app::check_file(path, options.limits.start({}));
  if (options.knowledge && file.rules && file.rules->is_valid())
    file.knowledge = app::check_knowledge({file.rules->rulesheet, options.limits});
  return file;
}

ExitCode check(const CheckOptions& options) {
  std::vector<app::CheckedFile> files;
  ExitCode worst = ExitCode::success;
  for (const std::string& path : options.paths) {
    files.push_back(check_one(path, options));
    worst = std::max(worst, show(files.back(), options.json));
  }
  if (options.json) write_answer(app::to_json(files) + "\n");
  return worst;
}

Action declare_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  add_arguments(app, "GAME", options->paths, Presence::required,
                "Rule files in GDL, GDDL or Toss; - reads standard input");
  add_flag(app, "--knowledge", options->knowledge,
           "Also check that players know their moves, the end and their goals");
  add_limit_options(app, options->limits);
  add_json_option(app, options->json);
  return [options] { return check(*options); };
}

}  // namespace

const Command check_command = {"check", "Check the validity of rules and locate every problem",
                               "zermelo check games/tic_tac_toe.kif", declare_check};

}  // namespace zermelo::cli

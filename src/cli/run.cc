#include "cli/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "app/json.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

struct DeclaredCommand {
  CLI::App* app;
  Action action;
};

std::vector<DeclaredCommand> declare_commands(CLI::App& app) {
  std::vector<DeclaredCommand> declared;
  for (const Command* command : commands()) {
    CLI::App* sub = app.add_subcommand(command->name, command->description);
    sub->footer(fmt::format("Example:\n  {}", command->example));
    declared.push_back({sub, command->declare(*sub)});
  }
  return declared;
}

bool wants_json(const CLI::App& app) {
  const CLI::Option* option = app.get_option_no_throw("--json");
  return option && option->count() > 0;
}

ExitCode report(const base::Error& error, bool json) {
  write_message(fmt::format("zermelo: {}\n", error.message));
  const ExitCode code = exit_code_of(error.kind);
  if (json && code != ExitCode::usage) write_answer(app::to_json(error) + "\n");
  return code;
}

// Memory that is refused in the middle of a command is an error like any other.
base::Result<ExitCode> outcome_of(const Action& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    return base::fail(base::ErrorKind::memory_limit, "the machine has no more memory to give");
  }
}

ExitCode report_defect(const std::exception& error, bool json) {
  const std::string message =
      fmt::format("this is a defect of Zermelo, please report it: {}", error.what());
  write_message(fmt::format("zermelo: {}\n", message));
  if (json) write_answer(app::error_json("defect", message) + "\n");
  return ExitCode::defect;
}

ExitCode run_action(const Action& action, bool json) {
  try {
    const auto outcome = outcome_of(action);
    return outcome ? *outcome : report(outcome.error(), json);
  } catch (const std::exception& error) {
    return report_defect(error, json);
  }
}

ExitCode run_selected(const std::vector<DeclaredCommand>& declared) {
  for (const auto& [app, action] : declared) {
    if (!app->parsed()) continue;
    const ExitCode code = run_action(action, wants_json(*app));
    flush_answer();
    return code;
  }
  return ExitCode::usage;
}

std::string command_names() {
  std::vector<std::string_view> names;
  for (const Command* command : commands()) names.push_back(command->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// What is wrong with the command line, in place of the library's words where they mislead.
std::string usage_message(const CLI::App* app, const CLI::Error& error) {
  if (!app->get_subcommands().empty()) {
    return fmt::format("zermelo: {}\n`zermelo {} --help` shows what is expected\n", error.what(),
                       app->get_subcommands().front()->get_name());
  }
  const auto unknown = app->remaining();
  const std::string problem = unknown.empty()
                                  ? "a command is missing"
                                  : fmt::format("there is no command or option \"{}\"", unknown[0]);
  return fmt::format("zermelo: {}; the commands are {}\n", problem, command_names());
}

ExitCode parse_and_run(int argc, char** argv) {
  CLI::App app(
      "Zermelo reads the rules of any finite game in the Game Description Language and\n"
      "tells what the game is. `zermelo COMMAND --help` shows a command's options.",
      "zermelo");
  app.set_version_flag("--version", "zermelo " ZERMELO_VERSION);
  app.require_subcommand(1);
  app.failure_message(usage_message);
  const auto declared = declare_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitCode::success : ExitCode::usage;
  }
  return run_selected(declared);
}

// The reader of our output went away, as `head` does, or the disk is full.
ExitCode output_failed(const OutputError& error) {
  if (error.error_number != EPIPE) {
    write_message(
        fmt::format("zermelo: cannot write the output: {}\n", std::strerror(error.error_number)));
  }
  return ExitCode::defect;
}

ExitCode guarded(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const OutputError& error) {
    return output_failed(error);
  } catch (const std::bad_alloc&) {
    write_message("zermelo: the machine has no more memory to give\n");
    return ExitCode::memory_limit;
  } catch (const std::exception& error) {
    return report_defect(error, false);
  }
}

}  // namespace

int run(int argc, char** argv) { return static_cast<int>(guarded(argc, argv)); }

}  // namespace zermelo::cli

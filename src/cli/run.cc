#include "cli/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "app/functions/external_functions.h"
#include "app/json.h"
#include "base/spelling.h"
#include "cli/cluster_option.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/game_input.h"
#include "cli/interruption.h"
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
  write_message(fmt::format("zermelo: {}\n", stop_message(error)));
  const ExitCode code = exit_code_of(error.kind);
  if (json && code != ExitCode::usage) write_answer(app::to_json(error) + "\n");
  return code;
}

// A failed allocation is reported like any other error.
base::Result<ExitCode> outcome_of(const Action& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    return base::fail(base::ErrorKind::memory_limit, "out of memory");
  }
}

ExitCode report_defect(const std::exception& error, bool json) {
  const std::string message = fmt::format("internal error, please report it: {}", error.what());
  write_message(fmt::format("zermelo: {}\n", message));
  if (json) write_answer(app::error_json("defect", message) + "\n");
  return ExitCode::defect;
}

ExitCode run_action(const Action& action, bool json) {
  try {
    const auto outcome = outcome_of(action);
    if (!outcome) return report(failure_of_functions().value_or(outcome.error()), json);
    const auto failure = failure_of_functions();
    return failure ? report(*failure, false) : *outcome;
  } catch (const std::exception& error) {
    if (const auto failure = failure_of_functions()) return report(*failure, json);
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

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command* command : commands()) names.emplace_back(command->name);
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The first argument that looks like an option and is none of the command's. An unknown option is
// the cause of other problems, such as a missing required option.
std::optional<std::string> unknown_option(const CLI::App& command) {
  for (const std::string& argument : command.remaining()) {
    if (argument.substr(0, 2) == "--") return argument.substr(0, argument.find('='));
  }
  return std::nullopt;
}

std::string command_problem(const CLI::App& command, const CLI::Error& error) {
  const auto option = unknown_option(command);
  if (!option) return error.what();
  return fmt::format("unknown option \"{}\"{}", *option,
                     base::did_you_mean(*option, option_names(command)));
}

// Names the commands, unless the one that was meant is known.
std::string missing_command(const std::vector<std::string>& arguments) {
  const auto all = command_names();
  const std::string list = fmt::format("; the commands are {}", fmt::join(all, ", "));
  if (arguments.empty()) return "missing command" + list;
  const std::string similar = base::did_you_mean(arguments[0], all);
  return fmt::format("unknown command or option \"{}\"{}", arguments[0],
                     similar.empty() ? list : similar);
}

// Describes what is wrong with the command line. Replaces messages of the library that mislead.
std::string usage_message(const CLI::App* app, const CLI::Error& error) {
  if (app->get_subcommands().empty()) {
    return fmt::format("zermelo: {}\n", missing_command(app->remaining()));
  }
  const CLI::App& command = *app->get_subcommands().front();
  return fmt::format("zermelo: {}\nsee `zermelo {} --help`\n", command_problem(command, error),
                     command.get_name());
}

ExitCode parse_and_run(int argc, char** argv) {
  CLI::App app(
      "Zermelo analyses, solves and plays games written in the Game Description Language.\n"
      "`zermelo COMMAND --help` shows the options of a command.",
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

// The reader closed the pipe, as `head` does, or the disk is full.
ExitCode output_failed(const OutputError& error) {
  if (error.error_number != EPIPE) {
    write_message(
        fmt::format("zermelo: cannot write the output: {}\n", std::strerror(error.error_number)));
  }
  return ExitCode::unwritable_output;
}

ExitCode guarded(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const OutputError& error) {
    return output_failed(error);
  } catch (const std::bad_alloc&) {
    write_message("zermelo: out of memory\n");
    return ExitCode::memory_limit;
  } catch (const std::exception& error) {
    return report_defect(error, false);
  }
}

}  // namespace

// The exit code of a job is that of the rank that shows the result.
int run(int argc, char** argv) {
  if (argc == 3 && argv[1] == std::string_view(app::function_host_command)) {
    return app::run_function_host(argv[2]);
  }
  const bool is_silent = silence_if_not_first(argc, argv);
  const ExitCode code = guarded(argc, argv);
  if (is_silent) return static_cast<int>(ExitCode::success);
  end_by_signal();
  return static_cast<int>(code);
}

}  // namespace zermelo::cli

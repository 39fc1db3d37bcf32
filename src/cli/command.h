// A subcommand: one file, one Command, listed in commands.cc.
//
// `declare` puts the command's options on its part of the command line and returns the action that
// runs once they are parsed. The action writes its answer with output.h and returns the exit code,
// or the error that prevented an answer.
#pragma once

#include <functional>
#include <span>

#include "base/result.h"
#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

using Action = std::function<base::Result<ExitCode>()>;

struct Command {
  const char* name;
  const char* description;
  const char* example;  // shown by --help: a command line that works
  Action (*declare)(CLI::App& app);
};

extern const Command check_command;
extern const Command print_command;
extern const Command generate_command;
extern const Command info_command;
extern const Command draw_command;
extern const Command evaluate_command;
extern const Command train_command;
extern const Command coalition_command;
extern const Command factor_command;
extern const Command know_command;
extern const Command perft_command;
extern const Command playouts_command;
extern const Command compile_command;
extern const Command translate_command;
extern const Command toss_command;
extern const Command count_command;
extern const Command solve_command;
extern const Command query_command;
extern const Command verify_command;
extern const Command plan_command;
extern const Command match_command;
extern const Command play_command;
extern const Command replay_command;
extern const Command experiment_command;
extern const Command player_command;
extern const Command serve_command;
extern const Command referee_command;

// All commands, in the order in which --help lists them.
std::span<const Command* const> commands();

}  // namespace zermelo::cli

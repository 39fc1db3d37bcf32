// print GAME --to kif|infix: prints the rules in canonical layout.
#include <memory>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

struct PrintOptions {
  std::string path;
  gdl::Syntax syntax = gdl::Syntax::prefix;
};

base::Result<ExitCode> print(const PrintOptions& options) {
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  write_answer(app::print_rules({*rules, options.syntax}));
  return ExitCode::success;
}

Action declare_print(CLI::App& app) {
  auto options = std::make_shared<PrintOptions>();
  add_game_argument(app, options->path);
  add_choice_option(
      app, "--to", {"kif", "infix"},
      [options](std::size_t choice) {
        options->syntax = choice == 0 ? gdl::Syntax::prefix : gdl::Syntax::infix;
      },
      "The syntax to print (default: kif)");
  return [options] { return print(*options); };
}

}  // namespace

const Command print_command = {"print", "Print the rules in canonical layout",
                               "zermelo print games/tic_tac_toe.kif --to infix", declare_print};

}  // namespace zermelo::cli

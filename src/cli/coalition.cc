// coalition GAME: what each set of roles can secure, the Shapley value and the core.
#include "app/coalition.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/json.h"
#include "app/write_file.h"
#include "cli/command.h"
#include "cli/equilibrium_output.h"
#include "cli/game_input.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct CoalitionOptions {
  std::string path;
  std::string plot;  // a file; empty: none
  app::CoalitionRequest request;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

std::string shares_text(const std::vector<std::string>& roles, const std::vector<double>& shares) {
  std::string text;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    text += fmt::format("{}{} {}", role == 0 ? "" : ", ", roles[role], decimal(shares[role]));
  }
  return text;
}

std::string coalition_text(const app::CoalitionResult& result) {
  std::vector<std::vector<std::string>> rows;
  double width = 0;
  for (solve::Coalition c = 1; c <= result.values.everybody(); ++c) {
    rows.push_back(
        {fmt::format("{}", fmt::join(result.members(c), ", ")), decimal(result.values.value(c))});
    width = std::max(width, result.values.high[c] - result.values.low[c]);
  }
  const bool is_empty = result.core.core_is_empty();
  const std::string shares = shares_text(result.roles, result.core.shares);
  return columns({"coalition", "secures"}, rows) + "\n" +
         name_value_lines(
             {{"error", width == 0 ? "exact" : fmt::format("at most {:.1e}", width / 2)},
              {"superadditive", result.violation ? "no" : "yes"},
              {"Shapley value", shares_text(result.roles, result.shapley)},
              {"core", is_empty
                           ? fmt::format("empty; closest: {}, where some coalition gets {} too "
                                         "little",
                                         shares, decimal(-result.core.excess))
                           : fmt::format("for example {}", shares)}});
}

base::Result<app::CoalitionResult> find_coalitions(const CoalitionOptions& options) {
  app::CoalitionRequest request = options.request;
  const auto rules = read_game(options.path, request.limits);
  if (!rules) return tl::unexpected(rules.error());
  request.rules = *rules;
  ProgressLine line(options.progress, "starting");
  return app::coalition(request, line.context());
}

base::Result<ExitCode> show_coalitions(const CoalitionOptions& options) {
  const auto result = find_coalitions(options);
  if (!result) return tl::unexpected(result.error());
  write_answer(options.json ? app::to_json(*result) + "\n" : coalition_text(*result));
  if (options.plot.empty()) return ExitCode::success;
  const auto drawn =
      app::write_file(options.plot, app::coalition_picture(*result, title_of_game(options.path)));
  if (drawn) return ExitCode::success;
  write_message("zermelo: " + drawn.error().message + "\n");
  return exit_code_of(drawn.error().kind);
}

Action declare_coalition(CLI::App& app) {
  auto options = std::make_shared<CoalitionOptions>();
  add_game_argument(app, options->path);
  add_text_option(app, "--plot", "FILE.svg", options->plot, Presence::optional,
                  "Draw the values of the coalitions and the shares of the roles");
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return show_coalitions(*options); };
}

}  // namespace

const Command coalition_command = {"coalition", "Find what each set of roles can secure together",
                                   "zermelo coalition games/glove_market.kif", declare_coalition};

}  // namespace zermelo::cli

// factor GAME: the subgames.
#include "app/factor.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/json.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

constexpr std::size_t shown_names = 24;

struct FactorOptions {
  std::string path;
  app::FactorRequest request;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

// "a, b, c", shortened if there are many.
std::string names_text(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), shown_names));
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > shown_names) {
    text += fmt::format(" and {} more (see --json)", names.size() - shown_names);
  }
  return text;
}

std::string kind_text(const app::NamedSubgame& subgame) {
  if (!subgame.action_independent) return subgame.is_kept ? "" : " (runs on without its moves)";
  return subgame.is_read ? " (action-independent, read by others)" : " (action-independent)";
}

std::string subgame_text(std::size_t number, const app::NamedSubgame& subgame) {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"  fluents", names_text(subgame.fluents)}};
  if (!subgame.action_independent) lines.emplace_back("  moves", names_text(subgame.moves));
  lines.emplace_back("  initial", names_text(subgame.initial));
  return fmt::format("subgame {}{}\n", number, kind_text(subgame)) + name_value_lines(lines);
}

std::string summary_text(const app::FactorResult& result) {
  const analysis::Decomposition& found = result.decomposition;
  const std::string grain = app::name_of(found.grain);
  const std::string time = fmt::format("{:.3f} s", result.seconds);
  if (!found.is_decomposed()) {
    return fmt::format("the game does not decompose (grain: {}; {})\n", grain, time);
  }
  return fmt::format("{}, {} (grain: {}; {})\n", counted(found.parts(), "independent subgame"),
                     found.is_parallel ? "played in parallel" : "every move belongs to one of them",
                     grain, time);
}

std::string factor_text(const app::FactorResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.subgames.size(); ++i) {
    text += subgame_text(i + 1, result.subgames[i]) + "\n";
  }
  if (!result.other_moves.empty()) {
    text += name_value_lines({{"moves of no subgame", names_text(result.other_moves)}}) + "\n";
  }
  for (const app::NamedStage& stage : result.stages) {
    text +=
        "stage that can be over before the game ends\n" +
        name_value_lines({{"  fluents", names_text(stage.fluents)},
                          {"  then matter", counted(stage.conditions, "condition") + " on them"}}) +
        "\n";
  }
  for (const std::string& file : result.files) text += fmt::format("wrote {}\n", file);
  return text + summary_text(result);
}

base::Result<ExitCode> factor_game(const FactorOptions& options) {
  app::FactorRequest request = options.request;
  const auto rules = read_game(options.path, request.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  request.rules = *rules;
  const auto result = app::factor(request, ProgressLine(options.progress, "factoring").context());
  if (!result) return tl::unexpected(result.error());
  write_answer(options.json ? app::to_json(*result) + "\n" : factor_text(*result));
  return ExitCode::success;
}

Action declare_factor(CLI::App& app) {
  auto options = std::make_shared<FactorOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_choice_option(
      app, "--grain", {"symbol", "ground"},
      [options](std::size_t choice) {
        options->request.grain = static_cast<analysis::Grain>(choice);
      },
      "What is never split: a symbol (default) or a ground fluent or move");
  add_text_option(app, "--out", "DIR", options->request.out, Presence::optional,
                  "Write each subgame as a rulesheet into this folder");
  add_text_option(app, "--draw", "FILE", options->request.draw, Presence::optional,
                  "Draw the dependency graph (.svg or .dot)");
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return factor_game(*options); };
}

}  // namespace

const Command factor_command = {"factor", "Find the subgames",
                                "zermelo factor games/incredible.kif", declare_factor};

}  // namespace zermelo::cli

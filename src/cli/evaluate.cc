// evaluate GAME: what an evaluator says of a position.
#include "app/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "app/json.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "search/make_evaluator.h"

namespace zermelo::cli {
namespace {

struct EvaluateOptions {
  std::string path, evaluator = "distance";
  std::optional<std::string> moves;
  std::uint64_t seed = 1;
  LimitOptions limits;
  bool json = false;
};

std::string as_text(const app::Evaluation& evaluation) {
  constexpr std::size_t max_parts = 20;
  std::string text;
  for (const app::Evaluation::OfRole& role : evaluation.roles) {
    text += fmt::format("{:<12}{:.1f}\n", role.role, role.value);
    for (std::size_t i = 0; i < std::min(role.parts.size(), max_parts); ++i) {
      text += fmt::format("  {:>8.3f}  {}\n", role.parts[i].value, role.parts[i].name);
    }
    if (role.parts.size() > max_parts) {
      text += fmt::format("  and {} more (--json lists all)\n", role.parts.size() - max_parts);
    }
  }
  return text;
}

base::Result<ExitCode> evaluate(const EvaluateOptions& options) {
  const auto rules = read_game(options.path, options.limits);
  if (!rules) return tl::unexpected(rules.error());
  const auto evaluation = app::evaluate(
      {*rules, options.evaluator, options.moves.value_or(""), options.seed, options.limits});
  if (!evaluation) return tl::unexpected(evaluation.error());
  write_answer(options.json ? app::to_json(*evaluation) + "\n" : as_text(*evaluation));
  return ExitCode::success;
}

Action declare_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  add_game_argument(app, options->path);
  add_text_option(app, "--evaluator", "NAME", options->evaluator, Presence::optional,
                  fmt::format("{} (default: distance)", search::evaluator_names));
  add_text_option(app, "--moves", "MOVES", options->moves,
                  "The position after these moves, one per step, by the player to move");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  add_json_option(app, options->json);
  return [options] { return evaluate(*options); };
}

}  // namespace

const Command evaluate_command = {"evaluate", "Show what an evaluator says of a position, and why",
                                  "zermelo evaluate games/breakthrough.kif --evaluator linear",
                                  declare_evaluate};

}  // namespace zermelo::cli

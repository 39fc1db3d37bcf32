// evaluate GAME: what an evaluator says of a position.
#include "app/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/json.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

struct EvaluateOptions {
  std::string path, evaluator = "distance";
  std::optional<std::string> moves;
  std::uint64_t seed = 1;
  LimitOptions limits;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

// The parts that fit into so many lines, level by level, so that the important ones are shown.
class PartPrinter {
 public:
  explicit PartPrinter(const app::Evaluation::OfRole& role) {
    std::vector<const eval::EvaluationPart*> by_level;
    for (const eval::EvaluationPart& part : role.parts) by_level.push_back(&part);
    for (std::size_t i = 0; i < by_level.size(); ++i) {
      for (const eval::EvaluationPart& child : by_level[i]->children) by_level.push_back(&child);
    }
    const std::size_t shown = std::min(by_level.size(), max_parts);
    shown_.insert(by_level.begin(), by_level.begin() + static_cast<std::ptrdiff_t>(shown));
    for (const eval::EvaluationPart& part : role.parts) print(part, 0);
    if (by_level.size() > shown) {
      text += fmt::format("  and {} more (--json lists all)\n", by_level.size() - shown);
    }
  }

  std::string text;

 private:
  static constexpr std::size_t max_parts = 20;

  void print(const eval::EvaluationPart& part, int depth) {
    if (!shown_.contains(&part)) return;
    const bool is_plain = part.kind == "goal" || part.kind == "fluent" || part.kind == "weight" ||
                          part.kind == "all" || part.kind == "any" || part.kind == "negation";
    text += fmt::format("  {:>8.3f}  {:{}}{}{}\n", part.value, "", 2 * depth, part.name,
                        is_plain ? "" : "  [" + part.kind + "]");
    for (const eval::EvaluationPart& child : part.children) print(child, depth + 1);
  }

  std::set<const eval::EvaluationPart*> shown_;
};

std::string as_text(const app::Evaluation& evaluation) {
  std::string text;
  for (const app::Evaluation::OfRole& role : evaluation.roles) {
    text += fmt::format("{:<12}{:.1f}\n", role.role, role.value) + PartPrinter(role).text;
  }
  return text;
}

base::Result<ExitCode> evaluate(const EvaluateOptions& options) {
  const auto rules = read_game(options.path, options.limits, options.allow);
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
  add_allow_option(app, options->allow);
  add_text_option(app, "--evaluator", "SPEC", options->evaluator, Presence::optional,
                  "distance (default), linear, patterns, basic, fuzzy, network or toss");
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

// toss heuristic FILE: the heuristics derived from the payoffs of a Toss game.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "app/json.h"
#include "app/toss_heuristic.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct TossOptions {
  std::string action;
  app::TossHeuristicRequest request;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

std::string heuristic_text(const app::TossHeuristic& heuristic) {
  std::string text = fmt::format("heuristic    {}\n", heuristic.method == "conditions"
                                                          ? "with rule conditions"
                                                          : "from existential formulas");
  for (const app::TossHeuristic::Term& term : heuristic.terms) {
    text += fmt::format("\nlocation {}, player {}\n  {}\n", term.location, term.player, term.term);
  }
  return text;
}

base::Result<ExitCode> run_toss(const TossOptions& options) {
  if (options.action != "heuristic") {
    return base::fail(base::ErrorKind::invalid_request,
                      fmt::format("unknown action \"{}\"; expected heuristic", options.action));
  }
  const auto heuristic =
      app::toss_heuristic(options.request, ProgressLine(options.progress, "reading").context());
  if (!heuristic) return tl::unexpected(heuristic.error());
  if (base::has_errors(heuristic->diagnostics)) {
    for (const base::Diagnostic& diagnostic : heuristic->diagnostics) {
      if (diagnostic.severity == base::Severity::error) {
        write_message(base::format(diagnostic, *heuristic->source));
      }
    }
    return base::fail(base::ErrorKind::invalid_rules,
                      fmt::format("{}: not valid as a Toss game", heuristic->source->name()));
  }
  write_answer(options.json ? app::to_json(*heuristic) + "\n" : heuristic_text(*heuristic));
  return ExitCode::success;
}

Action declare_toss(CLI::App& app) {
  using Method = toss::HeuristicMethod;
  auto options = std::make_shared<TossOptions>();
  add_argument(app, "ACTION", options->action, Presence::required,
               "heuristic: print the formulas derived from the payoffs");
  add_argument(app, "FILE", options->request.path, Presence::required,
               "A .toss file, or a game in GDL, which is translated first");
  add_choice_option(
      app, "--heuristic", {"auto", "existential", "conditions"},
      [options](std::size_t choice) {
        options->request.options.method =
            std::array{Method::automatic, Method::existential, Method::rule_conditions}[choice];
      },
      "From existential formulas or with rule conditions (default auto)");
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return run_toss(*options); };
}

}  // namespace

const Command toss_command = {"toss", "Show the heuristics of a Toss game",
                              "zermelo toss heuristic games/toss/breakthrough.toss", declare_toss};

}  // namespace zermelo::cli

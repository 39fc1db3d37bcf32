// verify FOLDER: checks a stored solution against the rules.
#include "app/verify.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/json.h"
#include "cli/command.h"
#include "cli/equilibrium_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct VerifyOptions {
  app::VerifyRequest request;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

// What best responses prove.
std::string strategies_text(const solve::StrategyCheck& check) {
  std::string text;
  for (std::size_t p = 0; p < check.players.size(); ++p) {
    text += fmt::format("{} secures {} and gets at most {}\n", check.players[p],
                        decimal(check.low[p]), decimal(check.high[p]));
  }
  return text + fmt::format("exploitability {:.1e}\n", check.exploitability());
}

std::string as_text(const app::VerifyResult& verification) {
  std::string text;
  for (const std::string& failure : verification.failures) text += failure + "\n";
  const std::string checked =
      verification.strategies ? fmt::format("best responses to {}, in {}",
                                            counted(verification.strategies->decisions, "decision"),
                                            counted(verification.strategies->worlds, "world"))
      : verification.exhaustive
          ? fmt::format("all {}", counted(verification.states_checked, "state"))
          : fmt::format("every file, and a sample of {} of the {} states{}",
                        grouped(verification.states_checked), with_commas(verification.states),
                        verification.cyclic ? "; whether play on cycles reaches the stored values "
                                              "was not checked"
                                            : "");
  if (verification.strategies) text += strategies_text(*verification.strategies);
  if (verification.ok())
    return text + fmt::format("the solution is correct: checked {}\n", checked);
  return text + fmt::format("the solution is wrong: {}\n",
                            counted(verification.failures_found, "failure"));
}

base::Result<app::VerifyResult> verified(const VerifyOptions& options) {
  ProgressLine line(options.progress, "starting");
  return app::verify(options.request, line.context());
}

base::Result<ExitCode> verify(const VerifyOptions& options) {
  const auto verification = verified(options);
  if (!verification) return tl::unexpected(verification.error());
  write_answer(options.json ? app::to_json(*verification) + "\n" : as_text(*verification));
  return verification->ok() ? ExitCode::success : ExitCode::answer_is_no;
}

Action declare_verify(CLI::App& app) {
  auto options = std::make_shared<VerifyOptions>();
  add_argument(app, "FOLDER", options->request.folder, Presence::required,
               "Folder of a stored solution");
  add_number_option(app, "--sample", options->request.sample, 1'000'000'000'000, Presence::optional,
                    "Number of states, roughly (default: all of 3 million, or 200,000)");
  add_seed_option(app, options->request.seed);
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return verify(*options); };
}

}  // namespace

const Command verify_command = {"verify", "Check a stored solution against the rules",
                                "zermelo verify tic_tac_toe", declare_verify};

}  // namespace zermelo::cli

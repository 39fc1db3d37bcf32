// verify FOLDER: re-checks a solution against the rules.
#include "solve/verify/verify.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::string folder;
  std::optional<std::uint64_t> sample;
  std::uint64_t seed = 1;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

nlohmann::ordered_json as_json(const solve::Verification& verification) {
  return {{"ok", verification.ok()},
          {"states", verification.states},
          {"layer_states", verification.layer_states},
          {"states_checked", std::to_string(verification.states_checked)},
          {"exhaustive", verification.exhaustive},
          {"failures_found", verification.failures_found},
          {"failures", verification.failures}};
}

std::string as_text(const solve::Verification& verification) {
  std::string text;
  for (const std::string& failure : verification.failures) text += failure + "\n";
  const std::string checked =
      verification.exhaustive
          ? fmt::format("all {}", counted(verification.states_checked, "state")) +
                (verification.layer_states == verification.states
                     ? ""
                     : fmt::format(" of all layers, {} different ones",
                                   with_commas(verification.states)))
          : fmt::format("every file, and a sample of {} of the {} states{}",
                        grouped(verification.states_checked),
                        with_commas(verification.layer_states),
                        verification.cyclic ? "; whether play gets where the values of states that "
                                              "can occur again promise was not checked"
                                            : "");
  if (verification.ok()) return fmt::format("the solution is right: checked {}\n", checked);
  return text + fmt::format("the solution is wrong: {}\n",
                            counted(verification.failures_found, "failure"));
}

base::Result<ExitCode> verify(const Options& options) {
  solve::VerifyOptions checks;
  if (options.sample) {
    checks.exhaustive_up_to = 0;
    checks.sample = *options.sample;
  }
  checks.seed = options.seed;
  checks.limits = options.limits.start({});
  const ProgressLine progress(options.progress, "verifying");
  const auto verification = solve::verify(options.folder, checks);
  if (!verification) {
    const base::Error& error = verification.error();
    return base::fail(error.kind, fmt::format("{}{}", limit_reached(error.kind), error.message));
  }
  if (options.json) {
    write_json(as_json(*verification));
  } else {
    write_answer(as_text(*verification));
  }
  return verification->ok() ? ExitCode::success : ExitCode::answer_is_no;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_argument(app, "FOLDER", options->folder, Presence::required, "A solution that solve stored");
  add_number_option(app, "--sample", options->sample, 1'000'000'000'000, Presence::optional,
                    "About so many states (default: all up to 3 million, else 200,000)");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return verify(*options); };
}

}  // namespace

const Command verify_command = {"verify", "Check a stored solution against the rules",
                                "zermelo verify tic_tac_toe", declare};

}  // namespace zermelo::cli

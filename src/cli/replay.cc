// replay RECORD GAME: shows a recorded game and checks it against the rules.
#include "app/replay.h"

#include <fmt/format.h>

#include <memory>

#include "app/json.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

struct ReplayOptions {
  std::string record;
  std::string path;
  std::string values;
  bool boards = false;
  LimitOptions limits;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

std::string as_text(const play::Replay& replay, bool boards) {
  std::string text;
  for (std::size_t i = 0; i < replay.steps.size(); ++i) {
    const play::ReplayStep& step = replay.steps[i];
    if (i > 0) text += fmt::format("{:>4}  {}", i, fmt::join(step.moves, "  "));
    if (step.value) text += fmt::format("  [{}]", fmt::join(*step.value, " "));
    if (!step.lost_value.empty()) {
      text += fmt::format("  value lost by {}", fmt::join(step.lost_value, ", "));
    }
    if (i > 0 || step.value) text += "\n";
    if (boards && !step.board.empty()) text += step.board + "\n";
  }
  if (!replay.problem.empty()) return text + "contradicts the rules: " + replay.problem + "\n";
  return text + (replay.goals.empty() ? "not finished\n"
                                      : fmt::format("goals {}\n", fmt::join(replay.goals, " ")));
}

base::Result<ExitCode> replay(const ReplayOptions& options) {
  const auto record = app::read_record(options.record);
  if (!record) return tl::unexpected(record.error());
  const auto rules = read_game(options.path, options.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  const auto replayed = app::replay({*record, *rules, options.values, options.limits});
  if (!replayed) return tl::unexpected(replayed.error());
  write_answer(options.json ? app::to_json(*replayed) + "\n" : as_text(*replayed, options.boards));
  return replayed->problem.empty() ? ExitCode::success : ExitCode::answer_is_no;
}

Action declare_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  add_argument(app, "RECORD", options->record, Presence::required, "File with a match record");
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_text_option(app, "--values", "FOLDER", options->values, Presence::optional,
                  "Folder of a stored solution; marks the moves that lost value");
  add_flag(app, "--boards", options->boards, "Draw the board after every step");
  add_limit_options(app, options->limits);
  add_json_option(app, options->json);
  return [options] { return replay(*options); };
}

}  // namespace

const Command replay_command = {"replay", "Show a recorded game and check it against the rules",
                                "zermelo replay records/zermelo.1.0.json games/tic_tac_toe.kif",
                                declare_replay};

}  // namespace zermelo::cli

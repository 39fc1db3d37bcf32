// know GAME: what the players know.
#include "app/know.h"

#include <fmt/format.h>

#include <memory>

#include "app/json.h"
#include "app/write_file.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/knowledge_text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

constexpr std::uint64_t max_round = 1'000'000;

struct KnowOptions {
  std::string path;
  app::KnowRequest request;
  std::string from_model;
  std::string out;
  std::optional<std::uint64_t> round;
  bool no_merge = false;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

std::string rounds_table(const app::KnowResult& result) {
  std::vector<std::string> titles = {"round", "developments", "ended", "worlds"};
  for (const std::string& player : result.players) {
    titles.push_back(player + " sets");
    titles.push_back("choices");
  }
  std::vector<std::vector<std::string>> rows;
  for (const app::RoundSize& size : result.rounds) {
    std::vector<std::string>& row = rows.emplace_back();
    row = {std::to_string(size.round), grouped(size.developments), grouped(size.terminal),
           grouped(size.worlds)};
    for (std::size_t i = 0; i < result.players.size(); ++i) {
      row.push_back(grouped(size.information_sets[i]));
      row.push_back(grouped(size.decisions[i]));
    }
  }
  return columns(titles, rows);
}

std::string counterexample_text(const app::KnowCounterexample& found) {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"fails in round", std::to_string(found.round)}, {"development", line_text(found.moves)}};
  if (found.role) lines.emplace_back("player", *found.role);
  if (found.world) {
    lines.emplace_back(found.role ? "cannot exclude" : "possible", line_text(*found.world));
  }
  return name_value_lines(lines);
}

std::string know_text(const app::KnowResult& result) {
  std::string text = rounds_table(result);
  if (result.holds) text += *result.holds ? "the formula holds\n" : "the formula does not hold\n";
  if (result.counterexample) text += counterexample_text(*result.counterexample);
  for (const std::string& file : result.files) text += fmt::format("wrote {}\n", file);
  return text;
}

base::Result<ExitCode> write_game(const KnowOptions& options) {
  const auto game = app::game_of_model(options.from_model);
  if (!game) return tl::unexpected(game.error());
  if (options.out.empty() || options.out == "-") {
    write_answer(*game);
    return ExitCode::success;
  }
  if (const auto written = app::write_file(options.out, *game); !written)
    return tl::unexpected(written.error());
  return ExitCode::success;
}

base::Result<ExitCode> know_game(const KnowOptions& options) {
  if (!options.from_model.empty()) {
    if (!options.path.empty()) return usage_error("--from-model takes no GAME");
    return write_game(options);
  }
  if (options.path.empty()) return usage_error("GAME is required");
  if (!options.out.empty()) return usage_error("-o requires --from-model");
  app::KnowRequest request = options.request;
  const auto rules = read_game(options.path, request.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  request.rules = *rules;
  request.round = options.round;
  request.merge = !options.no_merge;
  const auto result = app::know(request, ProgressLine(options.progress, "reasoning").context());
  if (!result) return tl::unexpected(result.error());
  write_answer(options.json ? app::to_json(*result) + "\n" : know_text(*result));
  return result->holds.value_or(true) ? ExitCode::success : ExitCode::answer_is_no;
}

Action declare_know(CLI::App& app) {
  auto options = std::make_shared<KnowOptions>();
  app::KnowRequest& request = options->request;
  add_argument(app, "GAME", options->path, Presence::optional,
               "A rule file; - reads standard input");
  add_allow_option(app, options->allow);
  add_text_option(app, "--formula", "F", request.formula, Presence::optional,
                  "Does this formula hold? Without it only sizes are printed");
  add_texts_option(app, "--announce", "F", request.announced, Presence::optional,
                   "Announce this formula publicly first; may be repeated");
  add_number_option(app, "--round", options->round, max_round, Presence::optional,
                    "In all developments of this round (default: in all rounds)");
  add_text_option(app, "--moves", "MOVES", request.moves,
                  "In this development: the moves of roles with a choice, step by step");
  add_text_option(app, "--draw", "FILE", request.draw, Presence::optional,
                  "Draw the model of the round (.svg or .dot)");
  add_text_option(app, "--model", "FILE", request.model, Presence::optional,
                  "Write the model of the round (.json, or .smcdel for SMCDEL)");
  add_flag(app, "--no-merge", options->no_merge, "Make every development a world of its own");
  add_text_option(app, "--from-model", "FILE", options->from_model, Presence::optional,
                  "Write a game that produces this model (.json) in round 1");
  add_text_option(app, "-o,--out", "FILE", options->out, Presence::optional,
                  "The file for that game; default: standard output");
  add_limit_options(app, request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return know_game(*options); };
}

}  // namespace

const Command know_command = {
    "know", "Answer who knows what, by formulas of knowledge",
    "zermelo know games/hidden/two_generals.kif --formula \"Kw(generala, attack(3am))\" --round 1",
    declare_know};

}  // namespace zermelo::cli

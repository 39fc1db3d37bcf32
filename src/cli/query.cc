// query FOLDER: shows the value of a position and of every legal move in it.
#include "app/query.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/json.h"
#include "cli/command.h"
#include "cli/equilibrium_output.h"
#include "cli/hidden_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/rewards_output.h"

namespace zermelo::cli {
namespace {

struct QueryOptions {
  app::QueryRequest request;
  bool json = false;
};

std::string move_table(const app::QueryResult& result) {
  std::vector<std::string> titles = result.roles;
  titles.insert(titles.begin(), {"", "move of " + result.turn.value_or("")});
  if (result.has_distances) titles.push_back("moves to the end");
  std::vector<std::vector<std::string>> rows;
  for (const app::QueryResult::Move& move : result.moves) {
    rows.push_back(cells(result.roles, move.rewards));
    rows.back().insert(rows.back().begin(), {mark(move.keeps_value, move.best), move.name});
    if (result.has_distances) rows.back().push_back(cell(move.distance));
  }
  return columns(titles, rows);
}

std::string equilibrium_query_text(const app::QueryResult& result) {
  const app::EquilibriumView& view = *result.equilibrium;
  const std::string value = value_text(result.roles, view);
  std::vector<std::pair<std::string, std::string>> lines = {
      {"position", fmt::format("{}", fmt::join(result.position, " "))},
      {"best play", result.terminal ? "game over: " + value : value}};
  if (!result.terminal) lines.emplace_back("concept", concept_text(view.solution_concept));
  const std::string board = result.board.empty() ? "" : result.board + "\n";
  return board + name_value_lines(lines) + strategy_tables(view) + matrix_table(result.roles, view);
}

std::string as_text(const app::QueryResult& result) {
  if (result.hidden) return hidden_text(result);
  if (result.equilibrium) return equilibrium_query_text(result);
  const std::string best_play = verdict(result.roles, result.rewards);
  std::vector<std::pair<std::string, std::string>> lines = {
      {"position", fmt::format("{}", fmt::join(result.position, " "))},
      {"best play", result.terminal ? "game over: " + best_play : best_play}};
  if (result.distance) lines.emplace_back("to the end", counted(*result.distance, "move"));
  if (!result.line.empty()) lines.emplace_back("best line", numbered(result.line));
  const std::string board = result.board.empty() ? "" : result.board + "\n";
  const std::string text = board + name_value_lines(lines);
  return result.moves.empty() ? text : text + "\n" + move_table(result);
}

base::Result<ExitCode> query(const QueryOptions& options) {
  const std::string problem = app::contradiction(options.request);
  if (!problem.empty()) return usage_error(problem);
  const auto result = app::query(options.request);
  if (!result) return tl::unexpected(result.error());
  write_answer(options.json ? app::to_json(*result) + "\n" : as_text(*result));
  return ExitCode::success;
}

Action declare_query(CLI::App& app) {
  auto options = std::make_shared<QueryOptions>();
  add_argument(app, "FOLDER", options->request.folder, Presence::required,
               "Folder of a stored solution");
  add_text_option(app, "--moves", "MOVES", options->request.moves,
                  "The position after these moves, one per step, by the roles that decide");
  add_text_option(app, "--state", "FLUENTS", options->request.state,
                  "The position in which exactly these fluents hold");
  add_text_option(app, "--as", "ROLE", options->request.role,
                  "Hidden information: what this role does after --saw");
  add_text_option(app, "--saw", "TERMS", options->request.saw,
                  "What it did where it had a choice, and saw, in order");
  add_limit_options(app, options->request.limits);
  add_json_option(app, options->json);
  return [options] { return query(*options); };
}

}  // namespace

const Command query_command = {"query", "Show the value of a stored position and of its moves",
                               "zermelo query tic_tac_toe --moves \"(mark 2 2) (mark 1 2)\"",
                               declare_query};

}  // namespace zermelo::cli

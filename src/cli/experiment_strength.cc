#include "cli/experiment_strength.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/experiment_curves.h"
#include "cli/json_output.h"
#include "cli/output.h"
#include "cli/player_options.h"
#include "play/folder_values.h"
#include "play/strength.h"

namespace zermelo::cli {
namespace {

struct Row {
  std::string player;
  play::Strength strength;
};

std::string as_text(const std::vector<Row>& rows, std::size_t positions) {
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : rows) {
    cells.push_back(
        {row.player, percent(row.strength.kept), percent(row.strength.kept_of_decisive)});
  }
  return fmt::format(
             "Value kept in percent of {} positions, and of the {} in which a move loses:\n",
             positions, rows.front().strength.decisive) +
         columns({"player", "of all", "of these"}, cells);
}

nlohmann::ordered_json as_json(const std::vector<Row>& rows, std::size_t positions) {
  nlohmann::ordered_json players = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    players.push_back({{"player", row.player},
                       {"kept", row.strength.kept.mean},
                       {"half_width", row.strength.kept.half_width},
                       {"low", row.strength.kept.low()},
                       {"high", row.strength.kept.high()},
                       {"kept_of_decisive", row.strength.kept_of_decisive.mean},
                       {"half_width_of_decisive", row.strength.kept_of_decisive.half_width},
                       {"low_of_decisive", row.strength.kept_of_decisive.low()},
                       {"high_of_decisive", row.strength.kept_of_decisive.high()}});
  }
  return {
      {"positions", positions}, {"decisive", rows.front().strength.decisive}, {"players", players}};
}

base::Result<std::vector<Row>> measure(const StrengthStudy& study,
                                       const std::vector<play::AgentSpec>& players) {
  const auto engine = read_engine(study.game, {});
  if (!engine) return tl::unexpected(engine.error());
  if (!(*engine)->machine()) {
    return base::fail(base::ErrorKind::not_applicable, "the game could not be grounded");
  }
  const auto values = play::open_folder_values(study.values, (*engine)->machine());
  if (!values) return tl::unexpected(values.error());
  const auto positions = play::random_positions(
      **engine, **values, static_cast<std::size_t>(study.positions), study.seed);
  if (!positions) return tl::unexpected(positions.error());
  std::vector<Row> rows;
  ProgressLine progress(study.progress, "positions");
  for (const play::AgentSpec& player : players) {
    progress.say(player.text);
    const auto strength = play::measure_strength(*engine, **values, player, *positions, study.seed);
    if (!strength) return tl::unexpected(strength.error());
    rows.push_back({player.text, *strength});
  }
  return rows;
}

}  // namespace

base::Result<ExitCode> run_strength_study(const StrengthStudy& study) {
  const auto players = read_players(study.players, study.players.size());
  if (!players) return ExitCode::usage;
  const auto rows = measure(study, *players);
  if (!rows) return tl::unexpected(rows.error());
  const auto positions = static_cast<std::size_t>(study.positions);
  if (study.json) {
    write_json(as_json(*rows, positions));
  } else {
    write_answer(as_text(*rows, positions));
  }
  return ExitCode::success;
}

}  // namespace zermelo::cli

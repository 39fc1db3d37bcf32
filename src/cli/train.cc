// train GAME --out FILE: a network that learns to evaluate the states of the game.
#include "app/train.h"

#include <fmt/format.h>

#include <limits>
#include <memory>

#include "app/json.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

using Point = eval::network::LearningCurve::Point;

struct TrainOptions {
  std::string path, file, values;
  std::optional<std::uint64_t> games, hidden, seed;
  std::optional<eval::network::Start> start;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

// At most ten points, with a bar that is as long as the error is large.
std::string curve_text(const std::vector<Point>& curve) {
  constexpr std::size_t max_lines = 10, bar = 40;
  double largest = 0;
  for (const Point& point : curve) largest = std::max(largest, point.error);
  std::string text = "   positions   error\n";
  const std::size_t lines = std::min(max_lines, curve.size());
  for (std::size_t line = 1; line <= lines; ++line) {
    const Point& point = curve[line * curve.size() / lines - 1];
    const auto length = static_cast<std::size_t>(bar * point.error / std::max(largest, 1e-12));
    text += fmt::format("{:>12}  {:.4f}  {}\n", grouped(point.step), point.error,
                        std::string(length, '#'));
  }
  return text;
}

std::string as_text(const app::TrainResult& result) {
  return name_value_lines({{"file", result.file + (result.resumed ? " (trained further)" : "")},
                           {"games", grouped(result.games)},
                           {"positions", grouped(result.positions)},
                           {"training time", fmt::format("{:.1f} s", result.seconds)},
                           {"positions per second", grouped(static_cast<unsigned long long>(
                                                        result.positions_per_second))}}) +
         curve_text(result.curve);
}

base::Result<ExitCode> train(const TrainOptions& options) {
  const auto rules = read_game(options.path, options.limits);
  if (!rules) return tl::unexpected(rules.error());
  const auto result = app::train({*rules, options.file, options.values, options.hidden,
                                  options.start, options.seed, options.games, options.limits},
                                 ProgressLine(options.progress, "training").context());
  if (!result) return tl::unexpected(result.error());
  write_answer(options.json ? app::to_json(*result) + "\n" : as_text(*result));
  return end_of_work(result->stopped);
}

Action declare_train(CLI::App& app) {
  auto options = std::make_shared<TrainOptions>();
  add_game_argument(app, options->path);
  add_text_option(app, "--out", "FILE", options->file, Presence::required,
                  "The network; a file that exists is trained further");
  add_text_option(app, "--values", "FOLDER", options->values, Presence::optional,
                  "Learn the exact values of a solution (default: self-play only)");
  add_count_option(app, "--games", options->games, std::uint64_t{1} << 40,
                   "Number of games to play (default: until the time is over)");
  add_number_option(app, "--hidden", options->hidden, 1024, Presence::optional,
                    "Hidden neurons of a new network (default: 32)");
  add_choice_option(
      app, "--start", {"correct", "noise"},
      [options](std::size_t index) { options->start = static_cast<eval::network::Start>(index); },
      "Weights of a new network: those of the goals (default), or random ones");
  add_number_option(app, "--seed", options->seed, std::numeric_limits<std::uint64_t>::max(),
                    Presence::optional, "Seed of a new network (default: 1)");
  add_memory_option(app, options->limits);
  add_duration_option(app, "--time", options->limits.time,
                      "Time to train (default: 1m, or none with --games)");
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return train(*options); };
}

}  // namespace

const Command train_command = {
    "train", "Train a network that evaluates the states of a game",
    "zermelo train games/breakthrough.kif --out breakthrough.network --time 5s", declare_train};

}  // namespace zermelo::cli

// perft GAME --depth N: joint-move sequences per depth.
#include "machine/perft.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/engine.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::string path;
  std::optional<std::uint64_t> depth;
  Engine engine = Engine::fast;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

std::string as_table(const machine::PerftResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t depth = 0; depth < result.depths.size(); ++depth) {
    const auto& [sequences, terminal] = result.depths[depth];
    rows.push_back({std::to_string(depth), grouped(sequences), grouped(terminal)});
  }
  return columns({"depth", "sequences", "terminal"}, rows);
}

nlohmann::ordered_json as_json(const machine::PerftResult& result, Engine engine, double seconds) {
  nlohmann::ordered_json depths = nlohmann::ordered_json::array();
  for (std::size_t depth = 0; depth < result.depths.size(); ++depth) {
    const auto& [sequences, terminal] = result.depths[depth];
    depths.push_back({{"depth", depth}, {"sequences", sequences}, {"terminal", terminal}});
  }
  return {{"depths", depths}, {"engine", name_of(engine)}, {"seconds", seconds}};
}

base::Result<machine::PerftResult> count(const Options& options, const base::Limits& limits) {
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const ProgressLine progress(options.progress, "counting");
  auto result = with_engine(options.engine, *rules, limits, [&](auto& engine) {
    return machine::perft(engine, *options.depth, limits);
  });
  if (result && result->stopped) {
    return base::fail(
        *result->stopped,
        fmt::format(
            "{}: stopped while counting to depth {}; give a smaller --depth or a larger limit",
            (*rules)->source->name(), *options.depth));
  }
  return result;
}

base::Result<ExitCode> perft(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto result = count(options, options.limits.start({}));
  if (!result) return tl::unexpected(result.error());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (options.json) {
    write_json(as_json(*result, options.engine, elapsed.count()));
  } else {
    write_answer(as_table(*result));
  }
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_number_option(app, "--depth", options->depth, 1000, Presence::required,
                    "Joint moves from the initial state");
  add_engine_option(app, options->engine);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return perft(*options); };
}

}  // namespace

const Command perft_command = {"perft", "Count the joint-move sequences of each length",
                               "zermelo perft games/tic_tac_toe.kif --depth 5", declare};

}  // namespace zermelo::cli

// playouts GAME --seconds S|--count N: random games.
#include "machine/playouts.h"

#include <fmt/format.h>

#include <ctime>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "analysis/exclusive_moves.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "lanes/sliced_player.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::string path;
  std::optional<std::uint64_t> count;
  std::optional<std::chrono::duration<double>> seconds;
  std::uint64_t seed = 1;
  Engine engine = Engine::sliced;
  std::optional<std::uint64_t> threads;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

struct Outcome {
  std::vector<std::string> roles;
  machine::PlayoutResult result;
  double processor_seconds;  // of all threads, spent playing

  double per_second(std::uint64_t number) const {
    return result.seconds > 0 ? static_cast<double>(number) / result.seconds : 0;
  }
};

bool in_lanes(Engine engine) { return engine == Engine::sliced || engine == Engine::interpreted; }

lanes::LaneBackend backend(Engine engine) {
  return engine == Engine::interpreted ? lanes::LaneBackend::interpreter : lanes::default_backend();
}

nlohmann::ordered_json as_json(const Outcome& outcome, Engine engine) {
  const machine::PlayoutResult& result = outcome.result;
  nlohmann::ordered_json mean_goals = nlohmann::ordered_json::object();
  for (std::size_t role = 0; role < outcome.roles.size(); ++role) {
    mean_goals[outcome.roles[role]] = result.mean_goals[role];
  }
  return {{"engine", name_of(engine)},
          {"lanes", in_lanes(engine) ? lanes::lane_count : 1},
          {"playouts", result.playouts},
          {"abandoned", result.abandoned},
          {"stuck", result.stuck},
          {"seconds", result.seconds},
          {"processor_seconds", outcome.processor_seconds},
          {"playouts_per_second", outcome.per_second(result.playouts)},
          {"states_per_second", outcome.per_second(result.states)},
          {"mean_depth", result.mean_depth},
          {"mean_goals", mean_goals},
          {"signature", fmt::format("{:016x}", result.signature)}};
}

std::string as_text(const Outcome& outcome, Engine engine) {
  const machine::PlayoutResult& result = outcome.result;
  std::vector<std::string> goals;
  for (std::size_t role = 0; role < outcome.roles.size(); ++role) {
    goals.push_back(fmt::format("{} {:.2f}", outcome.roles[role], result.mean_goals[role]));
  }
  const auto rate = [&](std::uint64_t number) {
    return grouped(static_cast<unsigned long long>(outcome.per_second(number)));
  };
  std::vector<std::pair<std::string, std::string>> lines = {
      {"engine", name_of(engine)},
      {"playouts", fmt::format("{} in {:.2f} s", grouped(result.playouts), result.seconds)},
      {"playouts per second", rate(result.playouts)},
      {"states per second", rate(result.states)},
      {"mean depth", fmt::format("{:.2f}", result.mean_depth)},
      {"mean goals", fmt::format("{}", fmt::join(goals, ", "))},
      {"signature", fmt::format("{:016x}", result.signature)}};
  if (result.abandoned > 0) lines.push_back({"abandoned, too long", grouped(result.abandoned)});
  if (result.stuck > 0) lines.push_back({"stuck without a move", grouped(result.stuck)});
  return name_value_lines(lines);
}

using Seconds = std::chrono::duration<double>;

machine::PlayoutOptions playout_options(const Options& options, Seconds elapsed) {
  machine::PlayoutOptions result;
  result.seed = options.seed;
  result.count = options.count;
  result.seconds = options.seconds;
  if (!options.count && !options.seconds) result.seconds = Seconds(1);
  if (options.limits.time) {
    const Seconds left = std::max(*options.limits.time - elapsed, Seconds(0));
    result.seconds = std::min(result.seconds.value_or(left), left);
  }
  return result;
}

unsigned thread_count(const Options& options) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return options.threads ? std::max(1u, static_cast<unsigned>(*options.threads)) : cores;
}

template <class Play>
Outcome timed(std::vector<std::string> roles, Play play) {
  const std::clock_t start = std::clock();
  machine::PlayoutResult result = play();
  const auto taken = static_cast<double>(std::clock() - start);
  return {std::move(roles), std::move(result), taken / static_cast<double>(CLOCKS_PER_SEC)};
}

template <class MakeOptions>
base::Result<Outcome> play_in_lanes(const Options& options,
                                    std::shared_ptr<const gdl::Rulesheet> rules,
                                    const base::Limits& limits, MakeOptions make_options) {
  auto game = ground_game(std::move(rules), limits);
  if (!game) return tl::unexpected(game.error());
  const auto compiled = std::make_shared<const circuit::CompiledGame>(std::move(*game));
  lanes::SlicedOptions slicing;
  slicing.limits = limits;
  slicing.exclusive_moves = analysis::exclusive_moves(compiled->game(), limits);
  slicing.backend = backend(options.engine);
  const auto code = lanes::make_sliced_code(compiled, slicing);
  if (!code) return tl::unexpected(code.error());
  return timed(role_names(compiled->game()),
               [&] { return lanes::play_sliced(**code, make_options(), thread_count(options)); });
}

base::Result<Outcome> play(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto limits = options.limits.start({});
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const ProgressLine progress(options.progress, "playing");
  const auto make_options = [&] {
    return playout_options(options, std::chrono::steady_clock::now() - begin);
  };
  auto outcome = in_lanes(options.engine)
                     ? play_in_lanes(options, *rules, limits, make_options)
                     : with_engine(options.engine, *rules, limits, [&](auto& engine) {
                         return timed(engine.roles(),
                                      [&] { return machine::playouts(engine, make_options()); });
                       });
  const auto exceeded = limits.exceeded();
  if (outcome && exceeded) {
    return base::fail(*exceeded, fmt::format("{}: stopped after {}", (*rules)->source->name(),
                                             counted(outcome->result.playouts, "playout")));
  }
  return outcome;
}

base::Result<ExitCode> playouts(const Options& options) {
  const auto outcome = play(options);
  if (!outcome) return tl::unexpected(outcome.error());
  if (options.json) {
    write_json(as_json(*outcome, options.engine));
  } else {
    write_answer(as_text(*outcome, options.engine));
  }
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_duration_option(app, "--seconds", options->seconds,
                      "Start no game after so many seconds (default: 1)");
  add_number_option(app, "--count", options->count, std::numeric_limits<std::uint64_t>::max() / 2,
                    Presence::optional, "Play so many games");
  add_playout_engine_option(app, options->engine);
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "Threads of the sliced engine (default: all cores)");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return playouts(*options); };
}

}  // namespace

const Command playouts_command = {"playouts", "Play random games and report rates and averages",
                                  "zermelo playouts games/tic_tac_toe.kif --count 1000", declare};

}  // namespace zermelo::cli

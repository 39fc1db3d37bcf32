// count GAME: how many states are reachable, layer by layer.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/peak_memory.h"
#include "cli/command.h"
#include "cli/count_engines.h"
#include "cli/engine.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "ground/ground.h"

namespace zermelo::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string path;
  CountEngine engine = CountEngine::automatic;
  bool continue_past_terminal = false;
  bool no_duplicate_detection = false;
  std::string folder;
  std::optional<std::uint64_t> threads;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

struct Cost {
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
};

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json as_json(const StateCount& count, const Cost& cost) {
  Json layers = Json::array();
  for (std::size_t i = 0; i < count.layers.size(); ++i) {
    const CountedLayer& layer = count.layers[i];
    Json& added = layers.emplace_back();
    added = {{"layer", i},
             {"states", layer.states},
             {"terminal", or_null(layer.terminal)},
             {"nodes", or_null(layer.nodes)},
             {"seconds", layer.seconds}};
    if (layer.set_nodes) added["set_nodes"] = *layer.set_nodes;
  }
  Json json = {{"states", count.states},
               {"complete", !count.stopped},
               {"layers", layers},
               {"engine", count.engine},
               {"reason", count.reason},
               {"order", or_null(count.order)},
               {"seconds", cost.seconds},
               {"peak_nodes", or_null(count.peak_nodes)},
               {"peak_bytes", cost.peak_bytes}};
  if (count.stopped) {
    json["error"] = {{"kind", name_of(count.stopped->kind)}, {"message", count.stopped->message}};
  }
  return json;
}

std::string layer_table(const StateCount& count) {
  const bool has_nodes = count.engine == "symbolic";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < count.layers.size(); ++i) {
    const CountedLayer& layer = count.layers[i];
    rows.push_back({std::to_string(i), with_commas(layer.states),
                    layer.terminal ? with_commas(*layer.terminal) : "?"});
    if (has_nodes) rows.back().push_back(grouped(layer.nodes.value_or(0)));
  }
  std::vector<std::string> titles = {"layer", "states", "terminal"};
  if (has_nodes) titles.push_back("nodes");
  return columns(titles, rows);
}

std::string as_text(const StateCount& count) {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"states", (count.stopped ? "at least " : "") + with_commas(count.states)},
      {"engine", fmt::format("{}: {}", count.engine, count.reason)}};
  if (count.order) lines.push_back({"variables by", *count.order});
  return layer_table(count) + "\n" + name_value_lines(lines);
}

CountRequest request_of(const Options& options, const base::Limits& limits) {
  CountRequest request;
  request.engine = options.engine;
  request.limits = limits;
  request.memory_bytes = options.limits.memory();
  if (options.limits.time) {
    request.group_seconds = std::min(request.group_seconds, *options.limits.time / 4);
  }
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  request.threads = options.threads ? static_cast<unsigned>(*options.threads) : cores;
  request.continue_past_terminal = options.continue_past_terminal;
  request.duplicate_detection = !options.no_duplicate_detection;
  request.folder = options.folder;
  return request;
}

base::Result<StateCount> count(const Options& options) {
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const base::Limits limits = options.limits.start({});
  ProgressLine progress(options.progress, "grounding");
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  CountRequest request = request_of(options, limits);
  request.say = [&](const std::string& activity) { progress.say("counting: " + activity); };
  auto counted = count_states(std::move(*machine), request);
  if (counted) return counted;
  return base::fail(counted.error().kind,
                    fmt::format("{}: {}", (*rules)->source->name(), counted.error().message));
}

ExitCode end(const StateCount& counted) {
  if (!counted.stopped) return ExitCode::success;
  write_message(fmt::format("zermelo: {}\n", counted.stopped->message));
  return exit_code_of(counted.stopped->kind);
}

base::Result<ExitCode> count_and_show(const Options& options) {
  if (options.engine == CountEngine::enumerating && !options.folder.empty()) {
    write_message("zermelo: --out stores diagrams, which the explicit engine has not\n");
    return ExitCode::usage;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto counted = count(options);
  if (!counted) return tl::unexpected(counted.error());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (options.json) {
    write_json(as_json(*counted, {elapsed.count(), base::peak_resident_bytes()}));
  } else {
    write_answer(as_text(*counted));
  }
  return end(*counted);
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_choice_option(
      app, "--engine", {"auto", "symbolic", "explicit"},
      [options](std::size_t choice) { options->engine = static_cast<CountEngine>(choice); },
      "symbolic: sets of states as diagrams; explicit: one state at a time");
  add_flag(app, "--continue-past-terminal", options->continue_past_terminal,
           "Make moves in terminal states as well");
  add_flag(app, "--no-duplicate-detection", options->no_duplicate_detection,
           "Count a state in every layer in which it occurs");
  add_text_option(app, "--out", "FOLDER", options->folder, Presence::optional,
                  "Store the layers there, and go on from those that are there");
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "How many threads work (default: all cores)");
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return count_and_show(*options); };
}

}  // namespace

const Command count_command = {"count", "Count the reachable states, layer by layer",
                               "zermelo count games/tic_tac_toe.kif", declare};

}  // namespace zermelo::cli

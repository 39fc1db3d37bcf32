// count GAME: counts the reachable states, layer by layer.
#include "app/count.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/json.h"
#include "app/write_file.h"
#include "cli/cluster_option.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/interruption.h"
#include "cli/named_option.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct CountOptions {
  std::string path;
  std::string plot;     // a file; empty: none
  std::string cluster;  // the mode; empty: this process alone
  bool no_duplicate_detection = false;
  app::CountRequest request;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

std::string layer_table(const app::CountResult& count) {
  const bool has_nodes = count.engine == solve::Engine::symbolic;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < count.layers.size(); ++i) {
    const app::CountedLayer& layer = count.layers[i];
    rows.push_back({std::to_string(i), with_commas(layer.states),
                    layer.terminal ? with_commas(*layer.terminal) : "?"});
    if (has_nodes) rows.back().push_back(grouped(layer.nodes.value_or(0)));
  }
  std::vector<std::string> titles = {"layer", "states", "terminal"};
  if (has_nodes) titles.push_back("nodes");
  return columns(titles, rows);
}

std::string as_text(const app::CountResult& count) {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"states", (count.stopped ? "at least " : "") + with_commas(count.states)},
      {"engine", fmt::format("{}: {}", name_of(count.engine), count.reason)}};
  if (count.order) lines.push_back({"variable order", *count.order});
  if (!count.ranks.empty()) lines.push_back({"ranks", rank_summary(count.ranks)});
  return layer_table(count) + "\n" + name_value_lines(lines);
}

base::Result<app::CountResult> count(app::CountRequest request, const CountOptions& options) {
  const auto rules = read_game_in(request.job, options.path, request.limits);
  if (!rules) return tl::unexpected(rules.error());
  request.rules = *rules;
  ProgressLine line(options.progress, "starting");
  return app::count(request, line.context());
}

base::Result<ExitCode> count_and_show(const CountOptions& options) {
  app::CountRequest request = options.request;
  request.duplicate_detection = !options.no_duplicate_detection;
  auto job = join_job_for(options.cluster);
  if (!job) return tl::unexpected(job.error());
  request.job = std::move(*job);
  const std::string problem = app::contradiction(request);
  if (!problem.empty()) return usage_error(problem);
  const auto counted = count(std::move(request), options);
  if (!counted) return tl::unexpected(counted.error());
  write_answer(options.json ? app::to_json(*counted) + "\n" : as_text(*counted));
  if (!options.plot.empty()) {
    const auto drawn =
        app::write_file(options.plot, app::plot(*counted, title_of_game(options.path)));
    if (!drawn) return tl::unexpected(drawn.error());
  }
  return end_of_work(counted->stopped);
}

Action declare_count(CLI::App& app) {
  auto options = std::make_shared<CountOptions>();
  add_game_argument(app, options->path);
  add_named_option(app, "--engine", solve::engines, options->request.engine,
                   "symbolic: sets of states as diagrams; explicit: one state at a time");
  add_flag(app, "--continue-past-terminal", options->request.continue_past_terminal,
           "Also make moves in terminal states");
  add_flag(app, "--no-duplicate-detection", options->no_duplicate_detection,
           "Count a state in every layer in which it occurs");
  add_text_option(app, "--out", "FOLDER", options->request.folder, Presence::optional,
                  "Folder to store the layers in; continues from layers already there");
  add_text_option(app, "--plot", "FILE.svg", options->plot, Presence::optional,
                  "Draw the layers: states, nodes, and the share of terminal states");
  add_cluster_option(app, {"hash"}, options->cluster,
                     "Under mpirun: partition the states over the ranks by their hash");
  add_number_option(app, "--threads", options->request.threads, 1024, Presence::optional,
                    "Number of threads (default: all cores)");
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return count_and_show(*options); };
}

}  // namespace

const Command count_command = {"count", "Count the reachable states, layer by layer",
                               "zermelo count games/tic_tac_toe.kif", declare_count};

}  // namespace zermelo::cli

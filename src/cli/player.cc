// player --port 9147: a GGP player on the network.
#include <memory>

#include "cli/command.h"
#include "cli/listen_options.h"
#include "serve/run_player.h"

namespace zermelo::cli {
namespace {

struct PlayerOptions {
  ListenOptions listen;
  std::string name = "zermelo";
  std::optional<std::uint64_t> threads;
  std::optional<std::uint64_t> matches;
  std::optional<std::chrono::duration<double>> think;
  std::uint64_t seed = 1;
};

base::Result<ExitCode> run_player(const PlayerOptions& options) {
  auto request = listen_request<serve::RunPlayerRequest>(options.listen);
  request.name = options.name;
  request.threads = options.threads;
  request.matches = options.matches;
  request.think = options.think;
  request.seed = options.seed;
  const auto served = serve::run_player(request);
  if (!served) return tl::unexpected(served.error());
  return ExitCode::success;
}

Action declare_player(CLI::App& app) {
  auto options = std::make_shared<PlayerOptions>();
  add_listen_options(app, options->listen, "9147", "every IPv4 address of this machine");
  add_text_option(app, "--name", "NAME", options->name, Presence::optional,
                  "Name reported to game managers (default: zermelo)");
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "Number of search threads (default: all cores)");
  add_duration_option(app, "--think", options->think,
                      "Maximum thinking time per move (default: what the clock allows)");
  add_count_option(app, "--matches", options->matches, 1'000'000'000,
                   "Exit after this number of matches (default: never)");
  add_seed_option(app, options->seed);
  return [options] { return run_player(*options); };
}

}  // namespace

const Command player_command = {"player", "Play over the network as a GGP player",
                                "zermelo player --port 9147", declare_player};

}  // namespace zermelo::cli

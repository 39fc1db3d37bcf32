// player --port 9147: a GGP player on the network.
#include <csignal>
#include <memory>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "serve/run_player.h"

namespace zermelo::cli {
namespace {

struct PlayerOptions {
  std::string address;
  std::optional<std::uint64_t> port;
  std::string name = "zermelo";
  std::optional<std::uint64_t> threads;
  std::optional<std::uint64_t> matches;
  std::optional<std::chrono::duration<double>> think;
  LimitOptions limits;
  std::uint64_t seed = 1;
};

base::Result<ExitCode> run_player(const PlayerOptions& options) {
  serve::RunPlayerRequest request;
  if (!options.address.empty()) request.address = options.address;
  if (options.port) request.port = static_cast<std::uint16_t>(*options.port);
  request.name = options.name;
  request.threads = options.threads;
  request.matches = options.matches;
  request.think = options.think;
  request.limits = options.limits;
  request.seed = options.seed;
  request.log = [](const std::string& line) { write_message("zermelo: " + line + "\n"); };
  std::signal(SIGPIPE, SIG_IGN);  // continue if the reader of the log closes the pipe
  const auto served = serve::run_player(request);
  if (!served) return tl::unexpected(served.error());
  return ExitCode::success;
}

Action declare_player(CLI::App& app) {
  auto options = std::make_shared<PlayerOptions>();
  add_number_option(app, "--port", options->port, 65'535, Presence::optional,
                    "Port to listen on (default: 9147; 0: any free port)");
  add_text_option(app, "--bind", "ADDRESS", options->address, Presence::optional,
                  "Address to listen on (default: every IPv4 address of this machine)");
  add_text_option(app, "--name", "NAME", options->name, Presence::optional,
                  "Name reported to game managers (default: zermelo)");
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "Number of search threads (default: all cores)");
  add_duration_option(app, "--think", options->think,
                      "Maximum thinking time per move (default: what the clock allows)");
  add_count_option(app, "--matches", options->matches, 1'000'000'000,
                   "Exit after this number of matches (default: never)");
  add_memory_option(app, options->limits);
  add_seed_option(app, options->seed);
  return [options] { return run_player(*options); };
}

}  // namespace

const Command player_command = {"player", "Play over the network as a GGP player",
                                "zermelo player --port 9147", declare_player};

}  // namespace zermelo::cli

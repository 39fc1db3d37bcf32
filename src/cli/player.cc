// player --port 9147: a GGP player on the network.
#include "serve/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <thread>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "gdl/term_text.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::optional<std::uint64_t> port;
  std::string name = "zermelo";
  std::optional<std::uint64_t> threads;
  std::optional<std::uint64_t> matches;
  std::optional<std::chrono::duration<double>> think;
  LimitOptions limits;
  std::uint64_t seed = 1;
};

constexpr std::uint64_t usual_port = 9147;

serve::PlayerOptions player_options(const Options& options) {
  serve::PlayerOptions result;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  result.name = options.name;
  result.threads = std::max(1u, static_cast<unsigned>(options.threads.value_or(cores)));
  result.memory_bytes = options.limits.memory();
  result.tree_bytes = options.limits.memory_bytes
                          ? *options.limits.memory_bytes / 2
                          : std::min(options.limits.memory() / 2, result.tree_bytes);
  result.most_time = options.think;
  result.seed = options.seed;
  result.log = [](const std::string& line) { write_message("zermelo: " + line + "\n"); };
  return result;
}

// Serves until the matches that were wanted are over.
base::Result<ExitCode> serve_player(const Options& options) {
  if (!gdl::canonical_term(options.name)) {
    write_message(fmt::format("zermelo: --name: expected one word, got \"{}\"\n", options.name));
    return ExitCode::usage;
  }
  serve::HttpServerOptions server_options;
  server_options.port = static_cast<std::uint16_t>(options.port.value_or(usual_port));
  const auto server = serve::HttpServer::listen(server_options);
  if (!server) return tl::unexpected(server.error());
  write_message(fmt::format("zermelo: listening on port {}\n", (*server)->port()));
  serve::Player player(player_options(options));
  std::stop_source stop;
  const auto handle = [&](serve::Arrival arrival) {
    player.receive(std::move(arrival));
    if (options.matches && player.matches_ended() >= *options.matches) stop.request_stop();
  };
  std::signal(SIGPIPE, SIG_IGN);  // nobody needs to read the log
  (*server)->run(handle, stop.get_token());
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_number_option(app, "--port", options->port, 65'535, Presence::optional,
                    "Listen there (default: 9147; 0: any that is free)");
  add_text_option(app, "--name", "NAME", options->name, Presence::optional,
                  "The name that game managers are told (default: zermelo)");
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "Threads of the search (default: all cores)");
  add_duration_option(app, "--think", options->think,
                      "Think so long about a move at most (default: what the clock allows)");
  add_count_option(app, "--matches", options->matches, 1'000'000'000,
                   "End after so many matches (default: never)");
  add_memory_option(app, options->limits);
  add_seed_option(app, options->seed);
  return [options] { return serve_player(*options); };
}

}  // namespace

const Command player_command = {"player", "Play over the network, as GGP game managers ask",
                                "zermelo player --port 9147", declare};

}  // namespace zermelo::cli

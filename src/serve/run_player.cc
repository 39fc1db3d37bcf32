#include "serve/run_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "gdl/term_text.h"

namespace zermelo::serve {
namespace {

PlayerOptions player_options(const RunPlayerRequest& request) {
  PlayerOptions options;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  options.name = request.name;
  options.threads = std::max(1u, request.threads.value_or(cores));
  options.memory_bytes = request.limits.memory();
  options.tree_bytes = request.limits.memory_bytes
                           ? *request.limits.memory_bytes / 2
                           : std::min(request.limits.memory() / 2, options.tree_bytes);
  options.max_time = request.think;
  options.seed = request.seed;
  options.log = request.log;
  return options;
}

}  // namespace

base::Result<void> check(const RunPlayerRequest& request) {
  if (gdl::canonical_term(request.name)) return {};
  return base::fail(base::ErrorKind::invalid_request,
                    fmt::format("--name: expected one word, got \"{}\"", request.name));
}

base::Result<void> run_player(const RunPlayerRequest& request, const app::Context& context) {
  if (const auto checked = check(request); !checked) return checked;
  HttpServerOptions server_options;
  server_options.address = request.address;
  server_options.port = request.port;
  const auto server = HttpServer::listen(server_options);
  if (!server) return tl::unexpected(server.error());
  request.log(fmt::format("listening on port {}", (*server)->port()));
  Player player(player_options(request));
  std::stop_source over;
  const std::stop_callback cancelled(context.stop, [&] { over.request_stop(); });
  const auto handle = [&](Arrival arrival) {
    player.receive(std::move(arrival));
    if (request.matches && player.matches_ended() >= *request.matches) over.request_stop();
  };
  (*server)->run(message_handler(handle), over.get_token());
  return {};
}

}  // namespace zermelo::serve

// A GGP player that listens on a port: the server and the player together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/context.h"
#include "serve/player_messages.h"

namespace zermelo::serve {

struct RunPlayerRequest {
  std::string address = "0.0.0.0";  // to listen on; the default is every IPv4 address
  std::uint16_t port = 9147;        // 0: any that is free
  std::string name = "zermelo";
  std::optional<unsigned> threads = {};       // of the search; nullopt: all cores
  std::optional<std::uint64_t> matches = {};  // after which it ends; nullopt: never
  std::optional<Seconds> think = {};          // per move at most; what the clock allows otherwise
  std::uint64_t seed = 1;
  app::ResourceLimits limits = {};  // of memory; half of it at most is for the search
  std::function<void(const std::string&)> log = [](const std::string&) {};  // from any thread
};

// Fails with invalid_request if the name is not a word that messages can contain.
base::Result<void> check(const RunPlayerRequest& request);

// Logs the port and serves until the matches are over or the request is cancelled. Fails like
// `check`, and with unreadable_input if the address or the port is not available.
base::Result<void> run_player(const RunPlayerRequest& request, const app::Context& context = {});

}  // namespace zermelo::serve

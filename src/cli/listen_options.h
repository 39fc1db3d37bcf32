// What the commands that listen on a port have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/options.h"

namespace zermelo::cli {

struct ListenOptions {
  std::string address;  // empty: the default of the request
  std::optional<std::uint64_t> port;
  LimitOptions limits;
};

// Declares --port, --bind and --memory. The defaults are only texts of --help.
void add_listen_options(CLI::App& app, ListenOptions& options, const std::string& default_port,
                        const std::string& default_address);

// A log on standard error for the threads of a server. From now on the process continues if the
// reader of the log closes the pipe.
std::function<void(const std::string&)> server_log();

// A request of serve/ with the address, the port, the limits and the log.
template <class Request>
Request listen_request(const ListenOptions& options) {
  Request request;
  if (!options.address.empty()) request.address = options.address;
  if (options.port) request.port = static_cast<std::uint16_t>(*options.port);
  request.limits = options.limits;
  request.log = server_log();
  return request;
}

}  // namespace zermelo::cli

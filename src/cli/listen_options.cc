#include "cli/listen_options.h"

#include <fmt/format.h>

#include <csignal>

#include "cli/output.h"

namespace zermelo::cli {

void add_listen_options(CLI::App& app, ListenOptions& options, const std::string& default_port,
                        const std::string& default_address) {
  add_number_option(app, "--port", options.port, 65'535, Presence::optional,
                    fmt::format("Port to listen on (default: {}; 0: any free port)", default_port));
  add_text_option(app, "--bind", "ADDRESS", options.address, Presence::optional,
                  fmt::format("Address to listen on (default: {})", default_address));
  add_memory_option(app, options.limits);
}

std::function<void(const std::string&)> server_log() {
  std::signal(SIGPIPE, SIG_IGN);
  return [](const std::string& line) { write_message("zermelo: " + line + "\n"); };
}

}  // namespace zermelo::cli

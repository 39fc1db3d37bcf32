// serve --port 8080: the web page and the JSON interface.
#include <csignal>
#include <memory>

#include "cli/command.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/output.h"
#include "serve/site.h"

namespace zermelo::cli {
namespace {

struct ServeOptions {
  std::string address;
  std::optional<std::uint64_t> port;
  std::vector<std::string> names;
  std::string data;
  LimitOptions limits;
};

base::Result<ExitCode> run_serve(const ServeOptions& options) {
  serve::RunSiteRequest request;
  if (!options.address.empty()) request.address = options.address;
  if (options.port) request.port = static_cast<std::uint16_t>(*options.port);
  request.names = options.names;
  request.data = options.data;
  request.limits = options.limits;
  request.log = [](const std::string& line) { write_message("zermelo: " + line + "\n"); };
  std::signal(SIGPIPE, SIG_IGN);  // continue if the reader of the log closes the pipe
  const Interruption interruption;
  const auto served = serve::run_site(request, {{}, interruption.token()});
  if (!served) return tl::unexpected(served.error());
  return ExitCode::success;
}

Action declare_serve(CLI::App& app) {
  auto options = std::make_shared<ServeOptions>();
  add_number_option(app, "--port", options->port, 65'535, Presence::optional,
                    "Port to listen on (default: 8080; 0: any free port)");
  add_text_option(app, "--bind", "ADDRESS", options->address, Presence::optional,
                  "Address to listen on (default: 127.0.0.1, this machine only)");
  add_texts_option(app, "--name", "HOST", options->names, Presence::optional,
                   "A host name by which visitors address the server; may be repeated");
  add_text_option(app, "--data", "FOLDER", options->data, Presence::optional,
                  "Folder for games and solutions (default: ~/.local/state/zermelo)");
  add_memory_option(app, options->limits);
  add_duration_option(app, "--time", options->limits.time,
                      "Time limit of solving one game (default: none)");
  return [options] { return run_serve(*options); };
}

}  // namespace

const Command serve_command = {"serve", "Serve the web page and the JSON interface",
                               "zermelo serve --port 8080", declare_serve};

}  // namespace zermelo::cli

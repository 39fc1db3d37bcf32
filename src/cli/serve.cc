// serve --port 8080: the web page and the JSON interface.
#include <memory>

#include "cli/command.h"
#include "cli/interruption.h"
#include "cli/listen_options.h"
#include "serve/site.h"

namespace zermelo::cli {
namespace {

struct ServeOptions {
  ListenOptions listen;
  std::vector<std::string> names;
  std::string data;
};

base::Result<ExitCode> run_serve(const ServeOptions& options) {
  auto request = listen_request<serve::RunSiteRequest>(options.listen);
  request.names = options.names;
  request.data = options.data;
  const Interruption interruption;
  const auto served = serve::run_site(request, {{}, interruption.token()});
  if (!served) return tl::unexpected(served.error());
  return ExitCode::success;
}

Action declare_serve(CLI::App& app) {
  auto options = std::make_shared<ServeOptions>();
  add_listen_options(app, options->listen, "8080", "127.0.0.1, this machine only");
  add_texts_option(app, "--name", "HOST", options->names, Presence::optional,
                   "A host name by which visitors address the server; may be repeated");
  add_text_option(app, "--data", "FOLDER", options->data, Presence::optional,
                  "Folder for games and solutions (default: ~/.local/state/zermelo)");
  add_duration_option(app, "--time", options->listen.limits.time,
                      "Time limit of solving one game (default: none)");
  return [options] { return run_serve(*options); };
}

}  // namespace

const Command serve_command = {"serve", "Serve the web page and the JSON interface",
                               "zermelo serve --port 8080", declare_serve};

}  // namespace zermelo::cli

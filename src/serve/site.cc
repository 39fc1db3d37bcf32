#include "serve/site.h"

#include <fmt/format.h>

#include <cstdlib>

#include "serve/api_call.h"

namespace zermelo::serve {
namespace {

const char* content_type(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/octet-stream";
}

HttpResponse page_file(const HttpRequest& request, std::string path) {
  if (request.method != "GET" && request.method != "HEAD") return {.status = 405};
  path.erase(0, 1);
  if (path.empty()) path = "index.html";
  for (const app::EmbeddedFile& file : page_files()) {
    if (file.name != path) continue;
    // The program may be a newer one at the next visit, so browsers ask whether the file changed.
    const std::string tag = '"' + app::fingerprint(file.text) + '"';
    HttpResponse response{.headers = {{"Content-Type", content_type(file.name)},
                                      {"Cache-Control", "no-cache"},
                                      {"ETag", tag}}};
    if (request.header("If-None-Match") == tag) {
      response.status = 304;
    } else {
      response.body = file.text;
    }
    return response;
  }
  return {.status = 404, .headers = {{"Content-Type", "text/plain"}}, .body = "not found\n"};
}

std::filesystem::path default_data() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0') {
    return std::filesystem::path(state) / "zermelo";
  }
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home != nullptr ? home : ".") / ".local/state/zermelo";
}

}  // namespace

Site::Site(const ApiOptions& options, std::vector<std::string> names)
    : access_(std::move(names)), api_(options) {}

void Site::handle(HttpRequest request, const Responder& to) {
  const Responder safe = to.with_headers(safety_headers());
  if (!access_.permits(request)) {
    return safe.send({.status = 403,
                      .headers = {{"Content-Type", "text/plain"}},
                      .body = "This address is not a name of this server, or the request comes "
                              "from another site.\n"});
  }
  const std::string path = parse_target(request.target).path;
  if (Api::is_responsible_for(path)) return api_.handle(std::move(request), safe);
  safe.send(page_file(request, path));
}

base::Result<void> run_site(const RunSiteRequest& request, const app::Context& context) {
  const std::filesystem::path data =
      request.data.empty() ? default_data() : std::filesystem::path(request.data);
  std::error_code failure;
  std::filesystem::create_directories(data, failure);
  if (failure) {
    return base::fail(base::ErrorKind::unwritable_output,
                      fmt::format("cannot create {}: {}", data.string(), failure.message()));
  }
  HttpServerOptions server_options;
  server_options.address = request.address;
  server_options.port = request.port;
  server_options.max_rate = request.max_rate;
  server_options.request_time = std::chrono::seconds(30);
  const auto server = HttpServer::listen(server_options);
  if (!server) return tl::unexpected(server.error());
  ApiOptions options;
  options.data = data;
  options.jobs.each = request.limits;
  std::vector<std::string> names = request.names;
  names.push_back(request.address);
  Site site(options, std::move(names));
  request.log(fmt::format("open http://{}:{}/", request.address, (*server)->port()));
  (*server)->run([&](HttpRequest r, const Responder& to) { site.handle(std::move(r), to); },
                 context.stop);
  return {};
}

}  // namespace zermelo::serve

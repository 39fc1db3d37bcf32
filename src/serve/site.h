// The page and its interfaces behind one HTTP server.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/context.h"
#include "serve/access.h"
#include "serve/api.h"

namespace zermelo::serve {

// The files of web/dist, by their path: "index.html", "assets/index.js".
std::vector<app::EmbeddedFile> page_files();

class Site {
 public:
  // `names` are names of this server besides localhost.
  Site(const ApiOptions& options, std::vector<std::string> names);

  // Does not block.
  void handle(HttpRequest request, const Responder& to);

 private:
  AccessRule access_;
  Api api_;
};

struct RunSiteRequest {
  std::string address = "127.0.0.1";    // to listen on
  std::uint16_t port = 8080;            // 0: any that is free
  std::vector<std::string> names = {};  // by which visitors may address the server
  std::string data = {};                // folder; empty: the user's folder for state
  app::ResourceLimits limits = {};      // of one solve job
  double max_rate = 500;                // requests per second and client
  std::function<void(const std::string&)> log = [](const std::string&) {};  // from any thread
};

// Logs the address and serves until the request is cancelled. Fails with unreadable_input if the
// address or the port is not available, and with unwritable_output if the folder cannot be made.
base::Result<void> run_site(const RunSiteRequest& request, const app::Context& context = {});

}  // namespace zermelo::serve

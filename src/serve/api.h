// The interface of the page, /api/v1, and the one of Gamesman's pages, /uwapi. web/openapi.json
// describes the first; tests compare it with the routes and the answers.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/service/solve_jobs.h"
#include "serve/http_server.h"
#include "serve/worker_pool.h"

namespace zermelo::serve {

struct ApiOptions {
  std::filesystem::path data;  // the folder of added games, solutions and jobs
  app::ResourceLimits request_limits = {.time = std::chrono::seconds(10)};  // of one request
  app::JobLimits jobs = {};
  std::size_t max_games = 128;  // that are kept ready
};

struct Route {
  std::string_view method;
  std::string_view path;  // with parameters: /api/v1/games/{game}
};

class Api {
 public:
  explicit Api(const ApiOptions& options);
  ~Api();

  // Whether the path belongs to one of the interfaces.
  static bool is_responsible_for(std::string_view path);
  // Answers the request, later and from another thread. Does not block.
  void handle(HttpRequest request, const Responder& to);
  // All routes of /api/v1.
  static std::vector<Route> routes();

 private:
  class Routes;
  friend class Routes;

  app::GameLibrary library_;
  app::OpenGames games_;
  app::SolveJobs jobs_;
  app::ResourceLimits limits_;
  std::unique_ptr<Routes> routes_;
  WorkerPool quick_;  // positions, checks
  WorkerPool slow_;   // moves of the program, puzzles, analyses
};

}  // namespace zermelo::serve

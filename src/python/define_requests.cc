// Requests of `app`, answered as JSON text: the same functions as the commands of the same names.
#include <pybind11/stl.h>

#include "app/count.h"
#include "app/describe.h"
#include "app/json.h"
#include "app/playouts.h"
#include "app/plot.h"
#include "app/query.h"
#include "app/solve.h"
#include "app/solve_progress.h"
#include "app/verify.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/game.h"
#include "python/limits.h"
#include "python/long_call.h"

namespace zermelo::python {

namespace py = pybind11;

namespace {

using GamePointer = std::shared_ptr<Game>;
using Seconds = std::optional<double>;
using Bytes = std::optional<std::size_t>;
using Number = std::optional<std::uint64_t>;

solve::Engine engine_of(const std::string& name) {
  if (const auto engine = solve::engine_named(name)) return *engine;
  refuse("unknown engine \"" + name + "\"; there are auto, symbolic and explicit");
}

solve::Algorithm algorithm_of(const std::string& name) {
  if (const auto algorithm = solve::algorithm_named(name)) return *algorithm;
  std::string all;
  for (const auto& known : solve::algorithms) all += " " + std::string(known.name);
  refuse("unknown algorithm \"" + name + "\"; there are" + all);
}

solve::OpponentModel model_of(const std::string& name) {
  for (const auto model : {solve::OpponentModel::own, solve::OpponentModel::difference})
    if (name == name_of(model)) return model;
  refuse("unknown model \"" + name + "\"; there are own and difference");
}

// Refuses what the fields of a request exclude, as the command line does.
template <class Request>
void refuse_contradiction(const Request& request) {
  if (const std::string problem = app::contradiction(request); !problem.empty()) refuse(problem);
}

std::string solve_game(const GamePointer& game, const std::string& folder, const std::string& model,
                       const std::string& engine, const std::string& algorithm, Number threads,
                       std::optional<bool> distances, std::optional<double> precision, Seconds time,
                       Bytes memory, const py::object& progress) {
  app::SolveRequest request;
  request.rules = game->rules();
  request.folder = folder;
  request.model = model_of(model);
  request.engine = engine_of(engine);
  request.algorithm = algorithm_of(algorithm);
  request.threads = threads;
  request.distances = distances;
  request.precision = precision;
  request.limits = Limits{time, memory}.resources();
  refuse_contradiction(request);
  return run_long(progress, [&](const app::Context& context) {
    request.on_layer = [&](const solve::SymbolicProgress& layer) {
      context.report(app::description_of(layer));
    };
    return app::to_json(value_of(app::solve(request, context)));
  });
}

std::string count_states(const GamePointer& game, const std::string& engine,
                         bool continue_past_terminal, const std::string& folder, Number threads,
                         Seconds time, Bytes memory, const py::object& progress) {
  app::CountRequest request;
  request.rules = game->rules();
  request.engine = engine_of(engine);
  request.continue_past_terminal = continue_past_terminal;
  request.folder = folder;
  request.threads = threads;
  request.limits = Limits{time, memory}.resources();
  refuse_contradiction(request);
  return run_long(progress, [&](const app::Context& context) {
    return app::to_json(value_of(app::count(request, context)));
  });
}

std::string query_folder(const std::string& folder, std::optional<std::string> moves,
                         std::optional<std::string> state) {
  app::QueryRequest request;
  request.folder = folder;
  request.moves = std::move(moves);
  request.state = std::move(state);
  refuse_contradiction(request);
  return run_long(py::none(), [&](const app::Context& context) {
    return app::to_json(value_of(app::query(request, context)));
  });
}

std::string verify_folder(const std::string& folder, Number sample, std::uint64_t seed,
                          Seconds time, Bytes memory, const py::object& progress) {
  app::VerifyRequest request;
  request.folder = folder;
  request.sample = sample;
  request.seed = seed;
  request.limits = Limits{time, memory}.resources();
  return run_long(progress, [&](const app::Context& context) {
    return app::to_json(value_of(app::verify(request, context)));
  });
}

std::string describe_game(const GamePointer& game, bool conditions, Seconds time, Bytes memory,
                          const py::object& progress) {
  app::DescribeRequest request;
  request.rules = game->rules();
  request.conditions = conditions;
  request.limits = Limits{time, memory}.resources();
  return run_long(progress, [&](const app::Context& context) {
    return app::to_json(value_of(app::describe(request, context)));
  });
}

std::string playout_statistics(const GamePointer& game, Number count, Seconds seconds,
                               std::uint64_t seed, std::optional<unsigned> threads) {
  app::PlayoutsRequest request;
  request.rules = game->rules();
  request.count = count;
  if (seconds) request.seconds = std::chrono::duration<double>(*seconds);
  request.seed = seed;
  request.threads = threads;
  return run_long(py::none(), [&](const app::Context& context) {
    return app::to_json(value_of(app::play_randomly(request, context)));
  });
}

std::string plot_folder(const std::string& folder, const std::string& title) {
  const py::gil_scoped_release unlocked;
  return value_of(app::plot({folder, title})).svg;
}

}  // namespace

void define_requests(py::module_& module) {
  module.def("_solve", &solve_game);
  module.def("_count", &count_states);
  module.def("_query", &query_folder);
  module.def("_verify", &verify_folder);
  module.def("_describe", &describe_game);
  module.def("_playout_statistics", &playout_statistics);
  module.def("plot", &plot_folder, py::arg("folder"), py::arg("title") = "",
             "A stored solution as an SVG picture: states, nodes and values by layer.");
}

}  // namespace zermelo::python

#include "search/make_evaluator.h"

#include "eval/distance_evaluator.h"
#include "eval/linear_evaluator.h"
#include "search/toss_evaluator.h"

namespace zermelo::search {

bool is_evaluator(std::string_view name) {
  return name == "linear" || name == "distance" || name == "basic" || is_toss_evaluator(name);
}

bool needs_playouts(std::string_view name) { return name == "linear"; }

base::Result<std::shared_ptr<const eval::Evaluator>> make_evaluator(
    const Simulator& simulator, const EvaluatorRequest& request) {
  if (!is_evaluator(request.name)) {
    return base::fail(
        base::ErrorKind::invalid_request,
        "unknown evaluator \"" + request.name + "\"; expected " + std::string(evaluator_names));
  }
  const auto machine = simulator.machine();
  if (!machine) {
    return base::fail(base::ErrorKind::not_applicable, "the rules are too large for an evaluator");
  }
  if (is_toss_evaluator(request.name)) {
    return make_toss_evaluator(machine, request.name, request.limits);
  }
  if (!needs_playouts(request.name)) {
    return eval::DistanceEvaluator::make(machine, {request.name == "distance", request.limits});
  }
  if (!simulator.sliced()) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the rules are too large for bit-sliced playouts");
  }
  eval::LearningOptions options;
  options.seed = request.seed;
  options.limits = request.limits;
  return eval::LinearEvaluator::learn(machine, *simulator.sliced(), options);
}

}  // namespace zermelo::search

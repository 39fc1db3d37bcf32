#include "app/evaluate.h"

#include "app/position.h"
#include "search/make_evaluator.h"

namespace zermelo::app {

base::Result<Evaluation> evaluate(const EvaluateRequest& request, const Context& context) {
  using Clock = std::chrono::steady_clock;
  const base::Limits limits = request.limits.start(context);
  context.report("compiling");
  auto simulator = search::make_ground_simulator(request.rules, limits);
  if (!simulator) return tl::unexpected(simulator.error());
  const auto machine = (*simulator)->machine();
  const auto position = position_after(machine, request.moves, limits);
  if (!position) return tl::unexpected(position.error());
  const Clock::time_point begin = Clock::now();
  context.report("preparing the evaluator");
  const search::EvaluatorRequest wanted{request.evaluator, request.seed, limits};
  if (search::needs_playouts(request.evaluator)) {
    simulator = search::make_sliced_simulator(machine, limits);
    if (!simulator) return tl::unexpected(simulator.error());
  }
  const auto evaluator = search::make_evaluator(**simulator, wanted);
  if (!evaluator) return tl::unexpected(evaluator.error());
  Evaluation result{request.evaluator, machine::Stepper(machine).fluent_names(position->state), {}};
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::vector<float> values(machine->roles().size());
  (*evaluator)->evaluate({&position->state, 1}, values);
  for (std::size_t role = 0; role < values.size(); ++role) {
    result.roles.push_back({machine->roles()[role], static_cast<double>(values[role]),
                            (*evaluator)->explain(position->state, role)});
  }
  return result;
}

}  // namespace zermelo::app

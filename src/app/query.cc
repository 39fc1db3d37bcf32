#include "app/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/scene.h"
#include "app/hidden_query.h"
#include "app/position.h"
#include "base/error_name.h"
#include "play/board.h"
#include "solve/folder/equilibrium_reader.h"
#include "solve/folder/solution_reader.h"
#include "solve/folder/strategy_folder.h"

namespace zermelo::app {
namespace {

using solve::SolutionReader;
using solve::StoredPosition;

std::vector<std::string> fluent_names(const SolutionReader& solution, const Position& position) {
  return machine::Stepper(solution.machine()).fluent_names(position.state);
}

std::string board_of(const std::shared_ptr<const machine::Machine>& machine,
                     const std::vector<std::string>& position) {
  return play::boards_as_text(analysis::Scene::of(machine).depict(position));
}

QueryResult result_of(const SolutionReader& solution, const Position& position,
                      const StoredPosition& stored, const std::vector<solve::MoveValue>& line) {
  QueryResult result;
  result.roles = solution.description().roles;
  result.position = fluent_names(solution, position);
  result.terminal = !stored.value.decides;
  if (stored.turn) result.turn = result.roles[*stored.turn];
  result.rewards = stored.value.rewards;
  result.distance = stored.value.distance;
  result.has_distances = solution.description().distances;
  const machine::Machine& machine = *solution.machine();
  for (const solve::MoveValue& move : stored.moves) {
    result.moves.push_back({result.roles[move.role], machine.move_name(move.move), move.rewards,
                            move.distance, move.keeps_value, move.best});
  }
  for (const solve::MoveValue& move : line) result.line.push_back(machine.move_name(move.move));
  result.board = board_of(solution.machine(), result.position);
  return result;
}

base::Result<Position> requested_position(const QueryRequest& request,
                                          const std::shared_ptr<const machine::Machine>& machine,
                                          const base::Limits& limits) {
  return request.state ? position_of(*machine, *request.state)
                       : position_after(machine, request.moves.value_or(""), limits);
}

base::Result<QueryResult> query_equilibria(const QueryRequest& request,
                                           const base::Limits& limits) {
  auto solution = solve::EquilibriumReader::open(request.folder, limits);
  if (!solution) return tl::unexpected(solution.error());
  const auto position = requested_position(request, solution->machine(), limits);
  if (!position) return tl::unexpected(position.error());
  const auto stored = solution->position(position->state, position->moves);
  if (!stored) return tl::unexpected(stored.error());
  const machine::Machine& machine = *solution->machine();
  QueryResult result;
  result.roles = solution->description().roles;
  result.position = machine::Stepper(solution->machine()).fluent_names(position->state);
  result.terminal = stored->here.terminal;
  result.board = board_of(solution->machine(), result.position);
  result.equilibrium = view_of(*stored, machine, stored->here.equilibrium.solution_concept);
  return result;
}

}  // namespace

std::string contradiction(const QueryRequest& request) {
  if (request.role.has_value() != request.saw.has_value()) return "--as and --saw need each other";
  const int positions =
      request.moves.has_value() + request.state.has_value() + request.role.has_value();
  return positions > 1 ? "use only one of --moves, --state and --as" : "";
}

base::Result<QueryResult> query(const QueryRequest& request, const Context& context) {
  if (const std::string problem = contradiction(request); !problem.empty()) {
    return base::fail(base::ErrorKind::invalid_request, problem);
  }
  const base::Limits limits = request.limits.start(context);
  if (solve::StrategyFolder(request.folder).finished()) return query_strategies(request, limits);
  if (request.role) {
    return base::fail(base::ErrorKind::not_applicable,
                      "only solutions of games with hidden information say what a role knows");
  }
  if (solve::EquilibriumReader::is_for(request.folder)) return query_equilibria(request, limits);
  auto solution = SolutionReader::open(request.folder, limits);
  if (!solution) return tl::unexpected(solution.error());
  const auto position = requested_position(request, solution->machine(), limits);
  if (!position) return tl::unexpected(position.error());
  const auto stored = solution->position(position->state, position->moves);
  if (!stored) return tl::unexpected(stored.error());
  const auto line = solution->line(position->state, position->moves);
  if (!line) return tl::unexpected(line.error());
  return result_of(*solution, *position, *stored, *line);
}

}  // namespace zermelo::app

#include "app/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/scene.h"
#include "app/position.h"
#include "base/error_name.h"
#include "play/board.h"
#include "solve/folder/solution_reader.h"

namespace zermelo::app {
namespace {

using solve::SolutionReader;
using solve::StoredPosition;

std::vector<std::string> fluent_names(const SolutionReader& solution, const Position& position) {
  return machine::Stepper(solution.machine()).fluent_names(position.state);
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
  result.board =
      play::boards_as_text(analysis::Scene::of(solution.machine()).depict(result.position));
  return result;
}

}  // namespace

std::string contradiction(const QueryRequest& request) {
  return request.moves && request.state ? "use either --moves or --state" : "";
}

base::Result<QueryResult> query(const QueryRequest& request, const Context& context) {
  if (const std::string problem = contradiction(request); !problem.empty()) {
    return base::fail(base::ErrorKind::invalid_request, problem);
  }
  const base::Limits limits = request.limits.start(context);
  auto solution = SolutionReader::open(request.folder, limits);
  if (!solution) return tl::unexpected(solution.error());
  const auto position =
      request.state ? position_of(*solution->machine(), *request.state)
                    : position_after(solution->machine(), request.moves.value_or(""), limits);
  if (!position) return tl::unexpected(position.error());
  const auto stored = solution->position(position->state, position->moves);
  if (!stored) return tl::unexpected(stored.error());
  const auto line = solution->line(position->state, position->moves);
  if (!line) return tl::unexpected(line.error());
  return result_of(*solution, *position, *stored, *line);
}

}  // namespace zermelo::app

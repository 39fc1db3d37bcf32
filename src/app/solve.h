// Solving a game: the value of every reachable state.
//
// This is where the engine is chosen, a solution that was interrupted is resumed, and options that
// do not fit it are refused. The solvers themselves are in `solve`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/context.h"
#include "app/cost.h"
#include "base/result.h"
#include "gdl/rulesheet.h"
#include "solve/common/algorithm.h"
#include "solve/common/opponent_model.h"
#include "solve/summary.h"
#include "solve/symbolic/symbolic_options.h"

namespace zermelo::app {

struct SolveRequest {
  std::shared_ptr<const gdl::Rulesheet> rules = {};  // valid ones
  std::string folder = {};                           // to store the solution in; empty: none
  solve::OpponentModel model = solve::OpponentModel::own;
  solve::Engine engine = solve::Engine::automatic;
  solve::Algorithm algorithm = solve::Algorithm::automatic;
  std::optional<std::uint64_t> threads = {};  // nullopt: all cores
  // Whether to store the moves to the end. nullopt: depends on the number of states.
  std::optional<bool> distances = {};
  ResourceLimits limits = {};
  // Receives the layers that the symbolic engine finds and solves. May be empty.
  std::function<void(const solve::SymbolicProgress&)> on_layer = {};
};

struct SolveResult {
  solve::Summary summary;
  std::string reason;  // why this engine or algorithm was chosen; empty if it was requested
  std::string folder;  // as in the request
  Cost cost;
};

// Why the options of the request exclude each other; empty if they do not.
std::string contradiction(const SolveRequest& request);

// Solves the game, or completes the solution that was started in the folder. Fails with
// invalid_request for a contradiction; with not_applicable for a folder that was started with other
// rules or options, and for games that the engine cannot solve; with the limit that was
// reached, after which the same request resumes if the folder permits it; and with
// unwritable_output. Without a folder nothing is left on disk, even after a cancellation.
base::Result<SolveResult> solve(const SolveRequest& request, const Context& context = {});

}  // namespace zermelo::app

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
#include <vector>

#include "app/context.h"
#include "app/cost.h"
#include "app/equilibrium_view.h"
#include "app/hidden_view.h"
#include "app/job.h"
#include "base/result.h"
#include "cluster/enumerate.h"
#include "gdl/rulesheet.h"
#include "solve/common/algorithm.h"
#include "solve/common/opponent_model.h"
#include "solve/summary.h"
#include "solve/symbolic/symbolic_options.h"

namespace zermelo::app {

// Whether the answer may be derived from the parts of the game.
enum class FactoringUse {
  automatic,  // for sums of impartial games, and where the whole game is too large
  always,     // or fail
  never,
};

struct SolveRequest {
  std::shared_ptr<const gdl::Rulesheet> rules = {};  // valid ones
  std::string folder = {};                           // to store the solution in; empty: none
  solve::OpponentModel model = solve::OpponentModel::own;
  solve::Engine engine = solve::Engine::automatic;
  solve::Algorithm algorithm = solve::Algorithm::automatic;
  FactoringUse factoring = FactoringUse::automatic;
  std::optional<std::uint64_t> threads = {};  // nullopt: all cores
  // Whether to store the moves to the end. nullopt: depends on the number of states.
  std::optional<bool> distances = {};
  // For games with hidden information: CFR+ ends at this exploitability, as a share of the range of
  // rewards. nullopt: solve::default_precision.
  std::optional<double> precision = {};
  // Null: this process alone. Otherwise all ranks of the job call `solve` with the same request,
  // and the explicit engine solves the game. The result is complete on rank 0, which has the
  // folder.
  std::shared_ptr<Job> job = {};
  ResourceLimits limits = {};
  // Receives the layers that the symbolic engine finds and solves. May be empty.
  std::function<void(const solve::SymbolicProgress&)> on_layer = {};
};

struct SolveResult {
  solve::Summary summary;
  std::string reason;  // why this engine or algorithm was chosen; empty if it was requested
  std::string folder;  // as in the request
  // How a factoring of the game was used: what it consists of and how the parts were combined;
  // empty if none was.
  std::string factoring;
  Cost cost;
  // The initial state, if several roles decide at the same time in some state. The summary then has
  // no values, no moves and no line.
  std::optional<EquilibriumView> equilibrium = {};
  // The states in which several roles decide, and those in which some role randomises. Only after
  // solving, not if a finished folder is read.
  std::optional<std::uint64_t> simultaneous_states = {}, mixed_states = {};
  // If the game has hidden information or chance. The summary then has only the model, the engine
  // and the algorithm.
  std::optional<HiddenView> hidden = {};
  // By rank, on rank 0 of a job; empty without one.
  std::vector<cluster::RankReport> ranks = {};
};

// Why the options of the request exclude each other; empty if they do not.
std::string contradiction(const SolveRequest& request);

// Solves the game, or completes the solution that was started in the folder. Fails with
// invalid_request for a contradiction; with not_applicable for a folder that was started with other
// rules or options, and for games that the engine cannot solve; with the limit that was
// reached, after which the same request resumes if the folder permits it; and with
// unwritable_output. With FactoringUse::always, fails with not_applicable if the parts of the game
// do not decide it. Games with hidden information (GDL-II) are solved for one player, and for two
// with a constant sum of rewards; they have no distances, and their folder has strategies. Without
// a folder nothing is left on disk, even after a cancellation.
base::Result<SolveResult> solve(const SolveRequest& request, const Context& context = {});

}  // namespace zermelo::app

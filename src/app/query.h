// The value of one position of a stored solution, and that of every legal move in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/equilibrium_view.h"
#include "app/hidden_view.h"
#include "base/result.h"
#include "solve/common/opponent_model.h"

namespace zermelo::app {

// At most one of `moves`, `state` and `role`; without any, the initial state is shown.
struct QueryRequest {
  std::string folder = {};  // a finished solution
  // The moves that lead to the position, one per step, by the player to move. If several roles
  // decide at the same time, one for each of them, in the order of the roles.
  std::optional<std::string> moves = {};
  std::optional<std::string> state = {};  // exactly the fluents that hold
  // Only for games with hidden information: the role that asks, and what it did and saw, as terms
  // in the order of the rounds; its moves only where it had a choice.
  std::optional<std::string> role = {}, saw = {};
  ResourceLimits limits = {};
};

struct QueryResult {
  struct Move {
    std::string role, name;
    solve::Rewards rewards;                 // with best play after it; empty: play never ends
    std::optional<std::uint32_t> distance;  // from the position after it
    bool keeps_value = false;               // whether `rewards` is the value of the position
    bool best = false;                      // see solve::MoveValue
  };

  std::vector<std::string> roles;
  std::vector<std::string> position;  // the names of the fluents that hold
  bool terminal = false;
  std::optional<std::string> turn;        // the role whose moves are listed
  solve::Rewards rewards;                 // with best play; empty: play never ends
  std::optional<std::uint32_t> distance;  // moves to the end, if stored and finite
  bool has_distances = false;             // whether the solution stores distances
  std::vector<Move> moves;                // best first, equal ones by name
  std::vector<std::string> line;          // the best moves to the end, see SolutionReader::line
  std::string board;                      // a drawing; empty if the position has none
  // If the solution has equilibria. Then there are no turn, rewards, moves and line.
  std::optional<EquilibriumView> equilibrium = {};
  // If the solution has strategies over information sets. Then there are no turn, rewards, moves
  // and line, and no position if the request has a role.
  std::optional<HiddenAnswer> hidden = {};
};

// Why the fields of the request exclude each other; empty if they do not.
std::string contradiction(const QueryRequest& request);

// Fails with invalid_request for a contradiction and a text that is not a list of terms, with
// not_applicable for a move that is not legal, a state that is not reachable, and a request that
// the kind of solution does not answer, and with
// unreadable_input for a folder without a finished solution, or a damaged one. Also fails at a
// limit.
base::Result<QueryResult> query(const QueryRequest& request, const Context& context = {});

}  // namespace zermelo::app

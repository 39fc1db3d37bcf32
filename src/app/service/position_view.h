// A position of a game as a page shows it: the picture, the legal moves with their cells, and the
// exact values where the game is solved.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/service/open_game.h"

namespace zermelo::app {

// One step: by role, the name of the move, or nothing for a role that has only one.
using StepChoice = std::vector<std::optional<std::string>>;

// What a reward is worth to a role: more than the others get, as much, or less. A role that is
// alone wins with its highest goal and loses with its lowest; everything else is a draw.
enum class Outcome : std::uint8_t { win, draw, lose, endless };

// "win", "draw", "lose" or "endless".
const char* name_of(Outcome outcome);
Outcome outcome_of(const search::Simulator& simulator, const solve::Rewards& rewards,
                   std::size_t role);

struct ExactValue {
  solve::Rewards rewards;                 // by role, with best play; empty: play never ends
  std::optional<std::uint32_t> distance;  // moves to the end, if stored and finite
  std::vector<Outcome> outcomes;          // by role
};

struct MoveView {
  std::string role, name;
  std::vector<std::string> cells;      // on which the move can be clicked, the source first
  std::optional<ExactValue> value;     // of the position after it, if solved
  std::optional<std::uint32_t> delta;  // how much farther the end is than by the best move of this
                                       // value
  bool keeps_value = false, best = false;  // see solve::MoveValue
};

struct PositionView {
  std::vector<std::string> roles;
  std::vector<std::vector<std::string>> history;  // joint moves, by role
  std::vector<std::string> fluents;               // that hold
  bool terminal = false;
  std::vector<int> goals;             // by role, of a terminal position
  std::vector<std::string> deciding;  // the roles that have a choice; else those that may go on
  std::vector<MoveView> moves;        // of the deciding roles; best first if solved
  bool solved = false;                // whether the game has a stored solution
  std::optional<ExactValue> value;    // of the position, if solved
  std::vector<std::string> line;      // best moves to the end, if asked for
  std::string svg;
};

struct PositionRequest {
  std::vector<StepChoice> steps = {};  // from the initial state
  bool line = false;
};

// Fails with invalid_request for a step that is not legal or leaves a choice open, and with
// unreadable_input if the solution is damaged.
base::Result<PositionView> view_position(const OpenGame& game, const PositionRequest& request);

// The value of every position of a game, the initial one first; nullopt where it is not known.
struct ValueHistory {
  struct Step {
    std::optional<ExactValue> value;
    // By role, what its move lost: nullopt where it had no choice or a value is not known. The
    // difference of its rewards; positive if the move was not best.
    std::vector<std::optional<int>> loss;
  };

  std::vector<std::string> roles;
  bool solved = false;
  std::vector<Step> steps;
};

// Fails like view_position.
base::Result<ValueHistory> value_history(const OpenGame& game,
                                         const std::vector<StepChoice>& steps);

// A position by the moves that lead to it.
struct ReachedPosition {
  std::unique_ptr<search::Walker> walker;
  std::vector<std::vector<std::string>> history;
};

// Fails with invalid_request like view_position.
base::Result<ReachedPosition> reach(const OpenGame& game, const std::vector<StepChoice>& steps);

// The roles that have several legal moves; if there are none, those for which a fluent of the
// position names their turn; else all.
std::vector<std::size_t> deciding_roles(const OpenGame& game, search::Walker& walker);

}  // namespace zermelo::app

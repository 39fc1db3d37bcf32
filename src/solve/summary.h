// A summary of a solution, independent of the engine that found it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "solve/common/algorithm.h"
#include "solve/common/move_value.h"
#include "solve/common/opponent_model.h"
#include "solve/explicit/explicit_solver.h"
#include "solve/folder/solution_reader.h"

namespace zermelo::solve {

struct Summary {
  // What the numbers of states count.
  enum class Counts {
    states,
    classes,  // of equivalent states, each once
    nothing,  // they are unknown; the strings are empty, and there are no layers
  };
  struct Count {
    Rewards rewards;  // empty: play never ends
    std::string states;
  };
  struct FirstMove {
    std::string name;
    MoveValue value;
  };

  std::vector<std::string> roles;
  OpponentModel model = OpponentModel::own;
  Engine engine = Engine::automatic;
  Algorithm algorithm = Algorithm::automatic;
  Rewards value;                          // of the initial state
  std::optional<std::uint32_t> distance;  // from the initial state, if known
  Counts counts = Counts::states;
  // In decimal digits. Every state counts once, even if it is in several layers.
  std::string states, terminal_states;
  std::string layer_states;  // the sum of the states of all layers
  std::size_t layers = 0;
  bool cyclic = false;                 // whether states can repeat
  std::vector<Count> by_value;         // best first for the first role, endless play last
  std::vector<FirstMove> first_moves;  // best first, equal ones by name
  // The names of the best moves from the initial state to the end; empty where there is no such
  // line.
  std::vector<std::string> line;
};

// Fails at a limit.
base::Result<Summary> summarize(const ExplicitSolution& solution, const base::Limits& limits = {});
// Fails if the folder is damaged.
base::Result<Summary> summarize(SolutionReader& solution);

}  // namespace zermelo::solve

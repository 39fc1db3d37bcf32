// Epistemic models as values: worlds with valuations, and what agents cannot tell apart (Definition
// 4 of the paper).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "know/developments.h"
#include "know/game_atoms.h"

namespace zermelo::know {

struct Model {
  std::vector<std::string> agents;
  std::vector<std::string> worlds;                   // names, all different
  std::vector<std::vector<std::string>> valuation;   // by world: the atoms that hold, sorted
  std::vector<std::vector<std::uint32_t>> class_of;  // by agent and world, numbered from 0
};

// The last round. Atoms are the fluents that hold, in prefix syntax.
Model model_of(const Developments& developments);

// A GDL-II game whose round 1 is the model (Theorem 1 and Figure 3 of the paper): `random` selects
// a world, every agent sees the worlds of its class, and the atoms of the world hold. The game ends
// then. Agents, worlds and atoms must be terms of GDL; fails with invalid_rules otherwise, if a
// name occurs twice, if an agent is called random, and if there is no world or no agent.
base::Result<std::string> to_game(const Model& model);

// The model as a knowledge structure for the model checker SMCDEL: its input as text, with a
// comment that says which variable is which atom. Worlds that agree in valuation and in the classes
// of all agents become one state; such worlds satisfy the same formulas.
std::string to_smcdel(const Model& model);

}  // namespace zermelo::know

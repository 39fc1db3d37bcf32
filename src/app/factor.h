// Factoring: the subgames of a game.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/subgames.h"
#include "app/context.h"
#include "app/rules.h"
#include "base/result.h"

namespace zermelo::app {

struct FactorRequest {
  Rules rules = {};
  analysis::Grain grain = analysis::Grain::symbol;
  std::string out = {};   // the folder for the rules of the subgames; empty: none
  std::string draw = {};  // the file for the dependency graph, .svg or .dot; empty: none
  ResourceLimits limits = {};
};

// A subgame by names: symbols or ground terms, as the grain asks for.
struct NamedSubgame {
  std::vector<std::string> fluents;
  std::vector<std::string> moves;    // with the role in front if the game has several roles
  std::vector<std::string> initial;  // its fluents that hold in the initial state, ground
  bool action_independent = false;
  bool is_read = false;
  bool is_kept = true;
};

// A part that can be over while the game continues (analysis/serial_stages.h).
struct NamedStage {
  std::vector<std::string> fluents;  // that then keep their values, as the grain asks for
  std::size_t conditions = 0;        // on them that still matter
};

struct FactorResult {
  std::shared_ptr<const ground::Game> game;
  analysis::Decomposition decomposition;
  std::vector<NamedSubgame> subgames;  // in the order of the decomposition
  std::vector<std::string> other_moves;
  std::vector<NamedStage> stages;
  std::vector<std::string> files;  // that were written
  double seconds = 0;              // without grounding and writing
};

// Fails if the game cannot be grounded, and at a limit. With `out`, every subgame that has moves is
// written as a rulesheet, subgame_1.kif and so on by its place in the result; fails with
// not_applicable if that is not possible. Fails with invalid_request if the name of the drawing
// does not end with .svg or .dot, and with unwritable_output.
base::Result<FactorResult> factor(const FactorRequest& request, const Context& context = {});

// "symbol" or "ground".
const char* name_of(analysis::Grain grain);

}  // namespace zermelo::app

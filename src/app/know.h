// Knowledge in games with hidden information: formulas, models, and the other direction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/rules.h"
#include "base/result.h"
#include "know/model.h"
#include "know/knowledge.h"

namespace zermelo::app {

struct KnowRequest {
  Rules rules = {};
  std::string formula = {};                 // empty: only counts
  std::vector<std::string> announced = {};  // formulas that are publicly announced, in this order
  std::optional<std::size_t> round = {};    // all developments of this round
  std::optional<std::string> moves = {};    // this development
  std::string draw = {};                    // the file for a picture of the round, .svg or .dot
  std::string model = {};                   // the file for the model of the round, .json or .smcdel
  bool merge = true;                        // false: one world per development
  ResourceLimits limits = {};
};

struct RoundSize {
  std::size_t round = 0;
  std::uint64_t developments = 0;             // the largest number if there are more
  std::uint64_t terminal = 0;                 // of them
  std::size_t worlds = 0;                     // after merging and announcements
  std::vector<std::size_t> information_sets;  // by player
  std::vector<std::size_t> decisions;         // of them, those where the player has a choice
};

struct KnowCounterexample {
  std::size_t round = 0;
  know::Line moves;                      // where the formula fails
  std::optional<std::string> role = {};  // the player that lacks the knowledge
  std::optional<know::Line> world = {};  // what it cannot tell from `moves`
};

struct KnowResult {
  std::vector<std::string> players;
  std::optional<bool> holds;      // nullopt without a formula
  std::vector<RoundSize> rounds;  // that were asked for
  std::optional<KnowCounterexample> counterexample;
  std::vector<std::string> files;  // that were written
};

// Whether a formula holds in a development, in all developments of a round or in all rounds. With
// `moves`, one move per choice: in every step, each role with several legal moves takes the next
// one. Fails with invalid_request for a formula that cannot be read or names what the game does not
// have, for moves that are not legal, for a round that no development reaches, and for a
// development that contradicts an announcement; with unwritable_output; and at a limit.
base::Result<KnowResult> know(const KnowRequest& request, const Context& context = {});

struct KnowledgeRequest {
  Rules rules = {};
  ResourceLimits limits = {};
};

// What the players know of their moves, the end and their goals. Fails if the game cannot be
// grounded. A limit that is reached later is part of the result.
base::Result<know::KnowledgeProperties> check_knowledge(const KnowledgeRequest& request,
                                                        const Context& context = {});

// Reads an epistemic model and returns a game that produces it. Fails with unreadable_input and
// invalid_rules.
base::Result<std::string> game_of_model(const std::string& path);

// The model in the format of game_of_model.
std::string model_json(const know::Model& model);
base::Result<know::Model> read_model(const std::string& json);

}  // namespace zermelo::app

// Evaluators by name:
//
//   linear     a weight for every fluent, learned from random games
//   patterns   the same, with weights for conjunctions of the goals by their progress
//   distance   the goals in fuzzy logic, with distances in fluent graphs
//   basic      the same without distances
//   toss       the heuristics of the game's translation to Toss (search/toss_evaluator.h)
//   network    the goals as a neural network, not trained; network:FILE is one that was trained
//   fuzzy      the goals in fuzzy logic, with features read from the rules
//
// `fuzzy` takes options after colons: fuzzy:without=order+persistence:norm=yager
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "eval/evaluator.h"
#include "search/simulator.h"

namespace zermelo::search {

// For messages.
inline constexpr std::string_view evaluator_names =
    "linear, patterns, distance, basic, fuzzy, network[:FILE] or toss";

// Whether this is the specification of an evaluator, with its options.
bool is_evaluator(std::string_view specification);
// Whether the evaluator learns from bit-sliced playouts.
bool needs_playouts(std::string_view name);

struct EvaluatorRequest {
  std::string name;        // a specification
  std::uint64_t seed = 1;  // of random games
  base::Limits limits = {};
};

// Fails with invalid_request for an unknown name, with not_applicable if the game was not grounded,
// has no bit-sliced playouts where they are needed, or is not that of the network; with
// unreadable_input if the network cannot be read; and at a limit.
base::Result<std::shared_ptr<const eval::Evaluator>> make_evaluator(
    const Simulator& simulator, const EvaluatorRequest& request);

}  // namespace zermelo::search

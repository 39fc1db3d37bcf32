// Counting the reachable states of a game, layer by layer, with either engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/cost.h"
#include "app/job.h"
#include "base/result.h"
#include "cluster/enumerate.h"
#include "gdl/rulesheet.h"
#include "solve/common/algorithm.h"

namespace zermelo::app {

struct CountRequest {
  std::shared_ptr<const gdl::Rulesheet> rules = {};  // valid ones
  solve::Engine engine = solve::Engine::automatic;
  bool continue_past_terminal = false;  // whether moves are also made in terminal states
  bool duplicate_detection = true;      // false: a state counts in every layer that has it
  // Folder to store the layers in, and to continue from; empty: none.
  std::string folder = {};
  std::optional<std::uint64_t> threads = {};  // nullopt: all cores
  // Null: this process alone. Otherwise all ranks of the job call `count` with the same request;
  // the engine is the explicit one, and the folder holds states instead of diagrams.
  std::shared_ptr<Job> job = {};
  ResourceLimits limits = {};
};

struct CountedLayer {
  std::string states;                   // a decimal number
  std::optional<std::string> terminal;  // nullopt: the layer was not examined
  // The nodes of its diagram, which distinguishes terminal states from others.
  std::optional<std::size_t> nodes;
  // The nodes of the diagram that does not; only if play continues past terminal states.
  std::optional<std::size_t> set_nodes;
  double seconds = 0;
};

struct CountResult {
  solve::Engine engine = solve::Engine::automatic;  // the one that counted
  std::string reason;                               // why that one
  std::string states;                               // the sum of the layers
  std::vector<CountedLayer> layers;
  std::optional<base::Error> stopped;  // the limit, or why the folder failed; layers are complete
  std::optional<std::size_t> peak_nodes;
  std::optional<std::string> order;  // of the variables
  // By rank, on rank 0 of a job; empty without one.
  std::vector<cluster::RankReport> ranks;
  Cost cost;
};

// Why the options of the request exclude each other; empty if they do not.
std::string contradiction(const CountRequest& request);

// Counts the states. After a limit or a cancellation, the result has the complete layers and
// `stopped`. Fails with invalid_request for a contradiction; with not_applicable if the engine
// cannot count the game or the folder holds something else; with unwritable_output; and with a
// limit that is reached before the first layer.
base::Result<CountResult> count(const CountRequest& request, const Context& context = {});

// Draws the layers as SVG: states and nodes, and the share of terminal states. `title` is the name
// of the game; it may be empty.
std::string plot(const CountResult& count, const std::string& title);

}  // namespace zermelo::app

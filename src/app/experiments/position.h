// How often variants of the search find the winning move of a position of Breakthrough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/experiments/svg_chart.h"
#include "base/result.h"

namespace zermelo::app {

struct PositionRequest {
  std::optional<std::uint32_t> trials = {};  // per variant; nullopt: 1,000
  std::optional<unsigned> threads = {};      // parallel trials; nullopt: all cores
  std::uint64_t seed = 1;
  std::string folder = {};  // for position.csv and position.svg; empty: none are written
};

struct PositionCurve {
  Curve curve;              // named after the agent
  std::uint32_t every = 0;  // simulations between two points
};

struct PositionStudy {
  std::uint32_t trials = 0;
  std::uint32_t simulations = 0, every = 0;  // of the agents of the paper
  std::vector<PositionCurve> agents;
  base::Result<void> files;                 // the first error in writing them
  std::optional<base::Error> stopped = {};  // if it was cancelled: agents are missing
};

// Fails with unwritable_output if the folder cannot be written, and if it is cancelled before an
// agent was measured.
base::Result<PositionStudy> study_position(const PositionRequest& request,
                                           const Context& context = {});

// All curves as CSV, and as an SVG picture in which all have the same horizontal axis, even the one
// with ten times as many simulations.
std::string position_csv(const PositionStudy& study);
std::string position_picture(const PositionStudy& study);

}  // namespace zermelo::app

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
  std::optional<std::uint32_t> trials = {};  // of each variant; 1,000 where not given
  std::optional<unsigned> threads = {};      // trials at the same time; all cores where not given
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
  base::Result<void> files;  // the first error in writing them
};

// Fails with unwritable_output where the folder cannot be written, and when it is cancelled.
base::Result<PositionStudy> study_position(const PositionRequest& request,
                                           const Context& context = {});

// All curves as CSV, and as an SVG picture: one above the other, also where the simulations are ten
// times as many.
std::string position_csv(const PositionStudy& study);
std::string position_picture(const PositionStudy& study);

}  // namespace zermelo::app

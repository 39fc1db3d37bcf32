// Action selection on n-armed bandits, after Gudmundsson and Bjornsson (search/bandit.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/experiments/svg_chart.h"
#include "base/result.h"
#include "search/bandit.h"

namespace zermelo::app {

struct BanditRequest {
  std::optional<std::uint32_t> tasks = {};  // per trial; nullopt: as in the paper
  std::uint64_t seed = 1;
  std::string folder = {};  // for bandit.csv and a picture per setup; empty: none are written
};

// The curves of all agents on one setup.
struct BanditCurves {
  search::BanditSetup setup;
  std::vector<Curve> curves;       // by agent
  std::vector<Curve> differences;  // from the first agent
};

struct BanditStudy {
  std::uint32_t every = 0;  // samples between two points
  std::vector<BanditCurves> setups;
  base::Result<void> files;                 // the first error in writing them
  std::optional<base::Error> stopped = {};  // if it was cancelled: setups are missing
};

// Fails with unwritable_output if the folder cannot be written, and if it is cancelled before a
// setup was measured.
base::Result<BanditStudy> study_bandits(const BanditRequest& request, const Context& context = {});

// All curves as CSV, and one setup as an SVG picture.
std::string bandit_csv(const BanditStudy& study);
std::string bandit_picture(const BanditCurves& curves);

}  // namespace zermelo::app

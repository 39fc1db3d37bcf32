// experiment strength: how often players keep the value of positions of a solved game.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/progress.h"

namespace zermelo::cli {

struct StrengthStudy {
  std::string game;
  std::string values;  // the solution folder
  std::vector<std::string> players;
  std::uint64_t positions = 200;
  std::uint64_t seed = 1;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

base::Result<ExitCode> run_strength_study(const StrengthStudy& study);

}  // namespace zermelo::cli

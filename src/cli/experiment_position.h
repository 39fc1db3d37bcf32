// experiment position: how often variants of the search find the winning move of a position.
#pragma once

#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/progress.h"

namespace zermelo::cli {

struct PositionStudy {
  std::optional<std::uint64_t> trials;
  std::optional<std::uint64_t> threads;
  std::uint64_t seed = 1;
  std::string folder = ".";
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

base::Result<ExitCode> run_position_study(const PositionStudy& options);

}  // namespace zermelo::cli

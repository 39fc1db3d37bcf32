// experiment bandit: action selection on n-armed bandits.
#pragma once

#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/progress.h"

namespace zermelo::cli {

struct BanditStudy {
  std::optional<std::uint64_t> tasks;
  std::uint64_t seed = 1;
  std::string folder = ".";
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

base::Result<ExitCode> run_bandit_study(const BanditStudy& options);

}  // namespace zermelo::cli

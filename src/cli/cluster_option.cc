#include "cli/cluster_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {

void add_cluster_option(CLI::App& app, const std::vector<std::string>& modes, std::string& mode,
                        const std::string& description) {
  add_choice_option(
      app, "--cluster", modes, [&mode, modes](std::size_t choice) { mode = modes[choice]; },
      description);
}

base::Result<std::shared_ptr<app::Job>> join_job_for(const std::string& mode) {
  if (mode.empty()) return nullptr;
  return app::join_job();
}

base::Result<app::Rules> read_game_in(const std::shared_ptr<app::Job>& job, const std::string& path,
                                      const app::ResourceLimits& limits,
                                      const std::vector<std::string>& allow) {
  if (!job) return read_game(path, limits, allow);
  if (!allow.empty()) {
    return base::fail(base::ErrorKind::invalid_request, "--allow cannot be used with --cluster");
  }
  return app::share_rules(*job, job->is_main() ? read_game(path, limits) : app::Rules());
}

std::string rank_summary(const std::vector<cluster::RankReport>& ranks) {
  std::uint64_t states = 0, most = 0, peak = 0, sent = 0;
  for (const cluster::RankReport& rank : ranks) {
    states += rank.states;
    most = std::max(most, rank.states);
    peak = std::max(peak, rank.peak_bytes);
    sent += rank.traffic.bytes;
  }
  return fmt::format("{}: each at most {:.1f}% of the states and {} MB; {} MB sent", ranks.size(),
                     100 * static_cast<double>(most) / static_cast<double>(states), peak >> 20,
                     sent >> 20);
}

bool silence_if_not_first(int argc, char** argv) {
  const bool has_option = std::any_of(argv, argv + argc, [](const char* argument) {
    return std::string_view(argument).starts_with("--cluster");
  });
  if (!has_option || !app::is_silent_rank()) return false;
  silence();
  return true;
}

}  // namespace zermelo::cli

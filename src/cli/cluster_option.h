// --cluster, for commands that run on several machines under mpirun.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/job.h"
#include "base/result.h"
#include "cluster/enumerate.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

// `mode` is one of the modes, or empty.
void add_cluster_option(CLI::App& app, const std::vector<std::string>& modes, std::string& mode,
                        const std::string& description);

// Joins the job if a mode was given; returns null otherwise. Fails as app::join_job does.
base::Result<std::shared_ptr<app::Job>> join_job_for(const std::string& mode);

// Like read_game; in a job, rank 0 reads for all, and programs and libraries are not supported.
base::Result<app::Rules> read_game_in(const std::shared_ptr<app::Job>& job, const std::string& path,
                                      const app::ResourceLimits& limits,
                                      const std::vector<std::string>& allow);

// "2: each at most 50.1% of the states and 120 MB; 96 MB sent".
std::string rank_summary(const std::vector<cluster::RankReport>& ranks);

// Silences this process if the command line has --cluster and another rank shows the result.
// Returns whether it did.
bool silence_if_not_first(int argc, char** argv);

}  // namespace zermelo::cli

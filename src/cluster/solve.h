// Solving a game on several ranks: the explicit solver with the states partitioned by their hash.
// The folder is the one that a single process writes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "cluster/channel.h"
#include "cluster/enumerate.h"
#include "machine/machine.h"
#include "solve/folder/solution_folder.h"

namespace zermelo::cluster {

struct SolveOptions {
  solve::OpponentModel model = solve::OpponentModel::own;
  // Whether to store distances; nullopt: up to solve::distances_up_to states.
  std::optional<bool> distances = {};
  base::Limits limits = {};
  // Receives descriptions of the activity. May be empty.
  std::function<void(std::string)> progress = {};
};

// Called by all ranks with the same game and options. Rank 0 writes the folder, which it has
// claimed and which is not finished; the others pass null. Returns the reports of all ranks on rank
// 0. Fails on all ranks, as solve::solve_explicit and solve::store do; games in which several roles
// decide at once are not applicable.
base::Result<std::vector<RankReport>> solve(Channel& channel,
                                            std::shared_ptr<const machine::Machine> machine,
                                            const solve::SolutionFolder* folder,
                                            const SolveOptions& options);

}  // namespace zermelo::cluster

// The n-armed bandits that Gudmundsson and Bjornsson study action selection with ("MCTS: Improved
// Action Selection Techniques for Deterministic Games", GIGA 2011).
//
// An arm is a move of a deterministic game. Its mean moves along a path with every sample taken
// from it, until it reaches its true value, 0 or 1, as the estimate of a move does while the tree
// below it grows. Agents gather samples; asked after k of them, an agent names the arm with the
// highest estimate, and is right if that arm's true value is 1.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/statistics.h"
#include "search/backup.h"
#include "search/selection.h"

namespace zermelo::search {

// The mean of an arm by the number of samples taken from it; the last one stays.
using MeanPath = std::vector<float>;
using Bandit = std::vector<MeanPath>;  // by arm

struct BanditAgent {
  std::string name;
  SelectionRule selection;
  std::optional<MovingAverage> moving_average;
};

// One arm that wins, one that looks the same for its first 400 samples and loses, and others that
// stay at 0.4 until they lose with the 500th sample.
Bandit hand_built_bandit(std::size_t arms);
// Random walks from 0.5 in steps of 0.05 that arrive within 500 samples; the first `winners` at 1.
Bandit random_bandit(std::size_t arms, std::size_t winners, base::Random& random);

struct BanditOptions {
  std::uint32_t samples = 3'000;
  std::uint32_t every = 10;  // the agent is asked after every so many samples
  std::uint32_t tasks = 1'000;
  std::uint64_t seed = 1;
  std::stop_token stop = {};  // ends the remaining tasks; the shares then mean nothing
};

// The share of tasks in which the agent names a winning arm, by the times it is asked.
std::vector<double> run_trial(const Bandit& bandit, const BanditAgent& agent,
                              const BanditOptions& options);

struct BanditSetup {
  std::string name;
  std::size_t arms = 20;
  std::size_t winners = 1;
  bool hand_built = true;
  std::uint32_t models = 1;  // bandits; one trial each
};

// The paper's seven: 20, 50 and 80 arms built by hand; 20 and 50 random ones with 10% and 30%
// winners, 50 models each.
std::vector<BanditSetup> paper_setups();

// UCT, ST and MA with the paper's parameters: C = 0.4, alpha = 0.6, M = 30, lambda_0 = 0.05; for 50
// random arms also MA with M = 50, lambda_0 = 0.02.
std::vector<BanditAgent> paper_agents(const BanditSetup& setup);

// By model and the times the agent is asked: the share of right answers. All agents get the same
// models.
using Shares = std::vector<std::vector<double>>;
Shares run_models(const BanditSetup& setup, const BanditAgent& agent, const BanditOptions& options);

// By the times the agent is asked. Intervals are over the models of random bandits and over the
// tasks of one built by hand.
std::vector<base::Interval> mean_shares(const Shares& shares, const BanditOptions& options);
// By how much the first is right more often: from model to model, or where there is one model from
// the intervals of both, as if the tasks were independent. They are paired, all agents having the
// same seeds, so that interval is rather too wide.
std::vector<base::Interval> mean_differences(const Shares& first, const Shares& second,
                                             const BanditOptions& options);

}  // namespace zermelo::search

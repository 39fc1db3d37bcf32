// The n-armed bandits with which Gudmundsson and Bjornsson study action selection ("MCTS: Improved
// Action Selection Techniques for Deterministic Games", GIGA 2011).
//
// An arm is a move of a deterministic game. With every sample taken from it, its mean moves along a
// path until it reaches its true value, 0 or 1, as the estimate of a move does while the tree below
// it grows. Agents gather samples. Asked after k samples, an agent names the arm with the highest
// estimate, and is right if that arm's true value is 1.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/statistics.h"
#include "search/backup.h"
#include "search/selection.h"

namespace zermelo::search {

// The mean of an arm by the number of samples taken from it. The last mean stays.
using MeanPath = std::vector<float>;
using Bandit = std::vector<MeanPath>;  // by arm

struct BanditAgent {
  std::string name;
  SelectionRule selection;
  std::optional<MovingAverage> moving_average;
};

// One arm wins, one looks the same for its first 400 samples and loses, and the others stay at 0.4
// until they lose at the 500th sample.
Bandit hand_built_bandit(std::size_t arms);
// Random walks from 0.5 in steps of 0.05 that end within 500 samples, the first `winners` at 1.
Bandit random_bandit(std::size_t arms, std::size_t winners, base::Random& random);

struct BanditOptions {
  std::uint32_t samples = 3'000;
  std::uint32_t every = 10;  // samples between two questions to the agent
  std::uint32_t tasks = 1'000;
  std::uint64_t seed = 1;
  std::stop_token stop = {};  // ends the remaining tasks; the shares then mean nothing
};

// Returns the share of tasks in which the agent names a winning arm, by question.
std::vector<double> run_trial(const Bandit& bandit, const BanditAgent& agent,
                              const BanditOptions& options);

struct BanditSetup {
  std::string name;
  std::size_t arms = 20;
  std::size_t winners = 1;
  bool hand_built = true;
  std::uint32_t models = 1;  // number of bandits; one trial each
};

// Returns the paper's seven set-ups: 20, 50 and 80 hand-built arms; 20 and 50 random arms with 10%
// and 30% winners, 50 models each.
std::vector<BanditSetup> paper_setups();

// Returns UCT, ST and MA with the paper's parameters: C = 0.4, alpha = 0.6, M = 30, lambda_0 =
// 0.05; for 50 random arms also MA with M = 50, lambda_0 = 0.02.
std::vector<BanditAgent> paper_agents(const BanditSetup& setup);

// The share of right answers, by model and question. All agents get the same models.
using Shares = std::vector<std::vector<double>>;
Shares run_models(const BanditSetup& setup, const BanditAgent& agent, const BanditOptions& options);

// Returns the mean shares by question. Intervals are over the models of random bandits, and over
// the tasks of a hand-built one.
std::vector<base::Interval> mean_shares(const Shares& shares, const BanditOptions& options);
// Returns by how much the first agent is right more often, by question. The interval is over the
// models. With a single model it is computed from the intervals of both agents, as if the tasks
// were independent; as they are paired (all agents have the same seeds), it is then too wide.
std::vector<base::Interval> mean_differences(const Shares& first, const Shares& second,
                                             const BanditOptions& options);

}  // namespace zermelo::search

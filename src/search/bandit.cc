// The paper shows the two promising hand-built arms only as a plot. Here their mean rises from 0.5
// to 0.7 within 400 samples and reaches 1 or 0 at the 500th. The paper does not give the step of
// the random walks either; with 0.05 a walk takes 100 steps on average.
//
// Selection and backup are those of the tree search, applied to one node.
#include "search/bandit.h"

#include <algorithm>
#include <cmath>

namespace zermelo::search {
namespace {

constexpr std::size_t path_length = 500;
constexpr std::size_t common_length = 400;
constexpr int walk_start = 10, walk_goal = 20;  // in steps of 0.05

MeanPath promising_path(bool wins) {
  MeanPath path;
  for (std::size_t k = 0; k < common_length; ++k) {
    path.push_back(0.5f + 0.2f * static_cast<float>(k) / common_length);
  }
  constexpr std::size_t rest = path_length - common_length;
  for (std::size_t k = 1; k <= rest; ++k) {
    const float part = static_cast<float>(k) / rest;
    path.push_back(0.7f + part * ((wins ? 1.0f : 0.0f) - 0.7f));
  }
  return path;
}

MeanPath noisy_path() {
  MeanPath path(path_length - 1, 0.4f);
  path.push_back(0);
  return path;
}

// Returns nullopt if the walk ends on the other side or takes too long.
std::optional<MeanPath> random_path(bool wins, base::Random& random) {
  MeanPath path;
  int position = walk_start;
  while (position > 0 && position < walk_goal) {
    if (path.size() + 1 == path_length) return std::nullopt;
    path.push_back(static_cast<float>(position) / walk_goal);
    position += random.below(2) == 0 ? 1 : -1;
  }
  if ((position == walk_goal) != wins) return std::nullopt;
  path.push_back(wins ? 1 : 0);
  return path;
}

double mean_after(const MeanPath& path, std::size_t samples) {
  return static_cast<double>(path[std::min(samples, path.size() - 1)]);
}

double uniform(base::Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

std::size_t best_arm(const std::vector<MoveStatistics>& arms) {
  const auto best = std::max_element(
      arms.begin(), arms.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return static_cast<std::size_t>(best - arms.begin());
}

std::vector<std::size_t> shuffled(std::size_t count, base::Random& random) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t other = random.below(static_cast<std::uint32_t>(i + 1));
    order[i] = order[other];
    order[other] = i;
  }
  return order;
}

// Adds to `right` whenever the agent names a winning arm. Arms with equal estimates are named in
// their order, which is random in every task.
void run_task(const Bandit& bandit, const BanditAgent& agent, const BanditOptions& options,
              base::Random& random, std::vector<std::uint32_t>& right) {
  std::vector<MoveStatistics> arms(bandit.size());
  const std::vector<std::size_t> order = shuffled(bandit.size(), random);
  for (std::uint32_t k = 0; k < options.samples; ++k) {
    const std::size_t arm = select(arms, k, 0, agent.selection, random).index;
    const double reward =
        uniform(random) < mean_after(bandit[order[arm]], arms[arm].visits) ? 1 : 0;
    update(arms[arm], reward, 1, agent.moving_average);
    if ((k + 1) % options.every == 0 && bandit[order[best_arm(arms)]].back() == 1) {
      ++right[k / options.every];
    }
  }
}

}  // namespace

std::vector<BanditAgent> paper_agents(const BanditSetup& setup) {
  SelectionRule threshold;
  threshold.sufficiency = default_sufficiency;
  std::vector<BanditAgent> agents = {
      {"UCT", {}, {}}, {"ST", threshold, {}}, {"MA", {}, MovingAverage()}};
  if (!setup.hand_built && setup.arms == 50) {
    agents.push_back({"passive MA", {}, MovingAverage{50, 0.02}});
  }
  return agents;
}

Bandit hand_built_bandit(std::size_t arms) {
  Bandit bandit(arms, noisy_path());
  bandit[0] = promising_path(true);
  bandit[1] = promising_path(false);
  return bandit;
}

Bandit random_bandit(std::size_t arms, std::size_t winners, base::Random& random) {
  Bandit bandit;
  while (bandit.size() < arms) {
    auto path = random_path(bandit.size() < winners, random);
    if (path) bandit.push_back(std::move(*path));
  }
  return bandit;
}

std::vector<double> run_trial(const Bandit& bandit, const BanditAgent& agent,
                              const BanditOptions& options) {
  std::vector<std::uint32_t> right(options.samples / options.every);
  base::Random random(options.seed);
  for (std::uint32_t task = 0; task < options.tasks && !options.stop.stop_requested(); ++task) {
    run_task(bandit, agent, options, random, right);
  }
  std::vector<double> shares;
  for (const std::uint32_t number : right) shares.push_back(double(number) / options.tasks);
  return shares;
}

std::vector<BanditSetup> paper_setups() {
  std::vector<BanditSetup> setups;
  for (const std::size_t arms : {20, 50, 80}) {
    setups.push_back({"hand-built, " + std::to_string(arms) + " arms", arms, 1, true, 1});
  }
  for (const std::size_t arms : {20, 50}) {
    for (const std::size_t percent : {10, 30}) {
      setups.push_back(
          {"random, " + std::to_string(arms) + " arms, " + std::to_string(percent) + "% winners",
           arms, arms * percent / 100, false, 50});
    }
  }
  return setups;
}

Shares run_models(const BanditSetup& setup, const BanditAgent& agent,
                  const BanditOptions& options) {
  Shares shares;
  base::Random models(options.seed);
  for (std::uint32_t model = 0; model < setup.models; ++model) {
    BanditOptions trial = options;
    trial.seed = options.seed + model;
    const Bandit bandit = setup.hand_built ? hand_built_bandit(setup.arms)
                                           : random_bandit(setup.arms, setup.winners, models);
    shares.push_back(run_trial(bandit, agent, trial));
  }
  return shares;
}

namespace {

std::vector<base::Interval> means_of_models(const Shares& shares, base::Range range) {
  std::vector<base::Interval> intervals;
  for (std::size_t time = 0; time < shares.front().size(); ++time) {
    std::vector<double> of_models;
    for (const auto& of_model : shares) of_models.push_back(of_model[time]);
    intervals.push_back(base::confidence_95(of_models, range));
  }
  return intervals;
}

}  // namespace

std::vector<base::Interval> mean_shares(const Shares& shares, const BanditOptions& options) {
  if (shares.size() > 1) return means_of_models(shares, {0, 1});
  std::vector<base::Interval> intervals;
  for (std::size_t time = 0; time < shares.front().size(); ++time) {
    const auto right = std::llround(shares[0][time] * options.tasks);
    intervals.push_back(base::share_95(static_cast<std::uint64_t>(right), options.tasks));
  }
  return intervals;
}

namespace {

Shares differences(const Shares& first, const Shares& second) {
  Shares result = first;
  for (std::size_t model = 0; model < first.size(); ++model) {
    for (std::size_t time = 0; time < first[model].size(); ++time) {
      result[model][time] -= second[model][time];
    }
  }
  return result;
}

}  // namespace

std::vector<base::Interval> mean_differences(const Shares& first, const Shares& second,
                                             const BanditOptions& options) {
  constexpr base::Range range{-1, 1};
  if (first.size() > 1) return means_of_models(differences(first, second), range);
  const auto a = mean_shares(first, options), b = mean_shares(second, options);
  std::vector<base::Interval> intervals;
  for (std::size_t time = 0; time < a.size(); ++time) {
    intervals.push_back({a[time].mean - b[time].mean,
                         std::hypot(a[time].half_width, b[time].half_width),
                         a[time].middle - b[time].middle, range});
  }
  return intervals;
}

}  // namespace zermelo::search

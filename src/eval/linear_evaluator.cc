// Positions are taken from random games, one from every few moves. The target of a position is the
// mean reward of random games played from it on the lanes, which has much less noise than the end
// of the one game that it was taken from. Weights minimise the logistic loss (cross entropy) of the
// targets, by stochastic gradient descent with a step size for each weight that decreases with its
// past gradients (Duchi, Hazan, Singer: AdaGrad), so that rare fluents learn as fast as common
// ones.
//
// What is learned is the value under random play. It is not the value under good play, but in many
// games it has the right sign: material, progress and place of the pieces.
#include "eval/linear_evaluator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/random_walk.h"
#include "base/error_name.h"
#include "base/random.h"
#include "lanes/sliced_leaf_playouts.h"

namespace zermelo::eval {
namespace {

constexpr int epochs = 12;
constexpr float step_size = 0.05f, decay = 1e-3f;
constexpr std::uint32_t max_depth = 2'000;  // of a random game
constexpr std::uint32_t max_gap = 8;        // moves between two positions of a game

struct Sample {
  machine::State state;
  std::vector<std::pair<std::uint32_t, float>> patterns;  // numbers of inputs and counts, not 0
  std::vector<float> targets;                             // by role, 0 to 1
};

float logistic(float x) { return 1 / (1 + std::exp(-x)); }

class PositionSampler {
 public:
  PositionSampler(std::shared_ptr<const machine::Machine> machine, std::uint64_t seed)
      : walk_(std::move(machine), {seed, max_depth}), random_(seed) {}

  // The state after some more random moves; starts again at the end of a game.
  machine::State next() {
    for (std::uint32_t steps = 1 + random_.below(max_gap); steps > 0; --steps) {
      if (walk_.advance()) continue;
      walk_.restart();
      if (!walk_.advance()) break;  // no game has a move
    }
    return walk_.state();
  }

 private:
  analysis::RandomWalk walk_;
  base::Random random_;
};

// The mean rewards of random games from the states, 0 to 1; empty if none of them ended.
std::vector<std::vector<float>> mean_rewards(const lanes::SlicedCode& code,
                                             const std::vector<machine::State>& states,
                                             const LearningOptions& options) {
  lanes::SlicedLeafPlayouts player(code, options.seed, max_depth);
  std::vector<std::vector<float>> means;
  std::vector<machine::State> repeated;
  for (const machine::State& state : states) {
    repeated.insert(repeated.end(), options.playouts, state);
  }
  const std::vector<lanes::LeafPlayout>& played = player.play(repeated);
  const std::size_t roles = code.machine().game().roles.size();
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::vector<float> sum(roles);
    std::size_t ended = 0;
    for (std::size_t p = 0; p < options.playouts; ++p) {
      const lanes::LeafPlayout& playout = played[i * options.playouts + p];
      if (playout.outcome != lanes::LeafPlayout::Outcome::ended) continue;
      ++ended;
      for (std::size_t role = 0; role < roles; ++role) {
        sum[role] += static_cast<float>(playout.goals[role]) / 100;
      }
    }
    if (ended == 0) sum.clear();
    for (float& value : sum) value /= static_cast<float>(ended);
    means.push_back(std::move(sum));
  }
  return means;
}

base::Result<std::vector<Sample>> take_samples(std::shared_ptr<const machine::Machine> machine,
                                               const lanes::SlicedCode& code,
                                               const LearningOptions& options) {
  PositionSampler sampler(machine, options.seed);
  std::vector<Sample> samples;
  constexpr std::size_t batch = 256;
  for (std::size_t taken = 0; taken < options.positions; taken += batch) {
    if (const auto limit = options.limits.exceeded()) {
      return tl::unexpected(base::limit_error(*limit, "while positions were evaluated"));
    }
    std::vector<machine::State> states(batch);
    for (machine::State& state : states) state = sampler.next();
    const auto means = mean_rewards(code, states, options);
    for (std::size_t i = 0; i < batch; ++i) {
      if (!means[i].empty()) samples.push_back({std::move(states[i]), {}, means[i]});
    }
  }
  if (samples.empty()) {
    return base::fail(base::ErrorKind::not_applicable, "no random game of the evaluation ended");
  }
  return samples;
}

// The inputs of the patterns follow those of the fluents.
void count_patterns(const GoalPatterns& patterns, std::vector<Sample>& samples) {
  BitPlanes planes;
  std::vector<std::uint8_t> counts;
  std::vector<machine::State> states;
  for (std::size_t from = 0; from < samples.size() && patterns.inputs() > 0;
       from += states_per_block) {
    const std::size_t end = std::min(from + states_per_block, samples.size());
    states.clear();
    for (std::size_t i = from; i < end; ++i) states.push_back(samples[i].state);
    planes.load(states, 0);
    patterns.count(planes, counts);
    for (std::size_t i = from; i < end; ++i) {
      for (std::uint32_t input = 0; input < patterns.inputs(); ++input) {
        const std::uint8_t count = counts[input * states_per_block + i - from];
        if (count != 0) samples[i].patterns.emplace_back(input, static_cast<float>(count));
      }
    }
  }
}

// The weights of one role.
class Regression {
 public:
  Regression(std::size_t fluents, std::size_t patterns)
      : weights(fluents + patterns), fluents_(fluents), gradients_(fluents + patterns + 1, 1e-6f) {}

  void learn(const Sample& sample, std::size_t role) {
    float sum = bias;
    sample.state.for_each([&](std::size_t fluent) { sum += weights[fluent]; });
    for (const auto& [input, count] : sample.patterns) sum += count * weights[fluents_ + input];
    const float error = sample.targets[role] - logistic(sum);
    sample.state.for_each([&](std::size_t fluent) {
      adjust(weights[fluent], gradients_[fluent], error - decay * weights[fluent]);
    });
    for (const auto& [input, count] : sample.patterns) {
      float& weight = weights[fluents_ + input];
      adjust(weight, gradients_[fluents_ + input], error * count - decay * weight);
    }
    adjust(bias, gradients_.back(), error);
  }

  std::vector<float> weights;
  float bias = 0;

 private:
  static void adjust(float& weight, float& squares, float gradient) {
    squares += gradient * gradient;
    weight += step_size * gradient / std::sqrt(squares);
  }

  std::size_t fluents_;
  std::vector<float> gradients_;  // sums of squares, by input; the last is that of the bias
};

}  // namespace

LinearEvaluator::LinearEvaluator(std::shared_ptr<const machine::Machine> machine,
                                 GoalPatterns patterns)
    : machine_(std::move(machine)),
      roles_(machine_->roles().size()),
      patterns_(std::move(patterns)),
      weights_((machine_->game().fluents.size() + patterns_.inputs()) * roles_),
      bias_(roles_) {}

base::Result<std::shared_ptr<const LinearEvaluator>> LinearEvaluator::learn(
    std::shared_ptr<const machine::Machine> machine, const lanes::SlicedCode& code,
    const LearningOptions& options) {
  auto samples = take_samples(machine, code, options);
  if (!samples) return tl::unexpected(samples.error());
  GoalPatterns patterns;
  if (options.patterns) {
    auto made = GoalPatterns::make(machine, options.limits);
    if (!made) return tl::unexpected(made.error());
    patterns = std::move(*made);
  }
  std::shared_ptr<LinearEvaluator> result(new LinearEvaluator(machine, std::move(patterns)));
  count_patterns(result->patterns_, *samples);
  base::Random random(options.seed);
  std::vector<std::uint32_t> order(samples->size());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t role = 0; role < result->roles_; ++role) {
    Regression regression(machine->game().fluents.size(), result->patterns_.inputs());
    for (int epoch = 0; epoch < epochs; ++epoch) {
      if (const auto limit = options.limits.exceeded()) {
        return tl::unexpected(base::limit_error(*limit, "while weights were learned"));
      }
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
      }
      for (const std::uint32_t i : order) regression.learn((*samples)[i], role);
    }
    for (std::size_t input = 0; input < regression.weights.size(); ++input) {
      result->weights_[input * result->roles_ + role] = regression.weights[input];
    }
    result->bias_[role] = regression.bias;
  }
  return result;
}

// Sums of weights, not yet through the logistic function.
void LinearEvaluator::add_fluents(std::span<const machine::State> states,
                                  std::span<float> values) const {
  for (const machine::State& state : states) {
    std::copy(bias_.begin(), bias_.end(), values.begin());
    state.for_each([&](std::size_t fluent) {
      for (std::size_t role = 0; role < roles_; ++role) {
        values[role] += weights_[fluent * roles_ + role];
      }
    });
    values = values.subspan(roles_);
  }
}

void LinearEvaluator::add_patterns(std::span<const machine::State> block,
                                   std::span<float> values) const {
  thread_local BitPlanes planes;
  thread_local std::vector<std::uint8_t> counts;
  planes.load(block, 0);
  patterns_.count(planes, counts);
  const float* weights = weights_.data() + machine_->game().fluents.size() * roles_;
  for (std::size_t input = 0; input < patterns_.inputs(); ++input, weights += roles_) {
    const std::uint8_t* of_input = counts.data() + input * states_per_block;
    for (std::size_t s = 0; s < block.size(); ++s) {
      const auto count = static_cast<float>(of_input[s]);
      for (std::size_t role = 0; role < roles_; ++role) {
        values[s * roles_ + role] += count * weights[role];
      }
    }
  }
}

void LinearEvaluator::evaluate(std::span<const machine::State> states,
                               std::span<float> values) const {
  add_fluents(states, values);
  for (std::size_t from = 0; from < states.size() && patterns_.inputs() > 0;
       from += states_per_block) {
    const std::size_t size = std::min(states_per_block, states.size() - from);
    add_patterns(states.subspan(from, size), values.subspan(from * roles_));
  }
  for (float& value : values.first(states.size() * roles_)) value = 100 * logistic(value);
}

std::vector<EvaluationPart> LinearEvaluator::explain(const machine::State& state,
                                                     std::size_t role) const {
  std::vector<EvaluationPart> parts;
  state.for_each([&](std::size_t fluent) {
    const auto atom = static_cast<ground::Atom>(fluent);
    parts.push_back({machine_->game().fluent_name(atom), "weight", weight(atom, role), {}});
  });
  BitPlanes planes;
  std::vector<std::uint8_t> counts;
  planes.load({&state, 1}, 0);
  patterns_.count(planes, counts);
  for (std::size_t input = 0; input < patterns_.inputs(); ++input) {
    const auto count = static_cast<float>(counts[input * states_per_block]);
    const float of_input = weights_[(machine_->game().fluents.size() + input) * roles_ + role];
    if (count != 0) parts.push_back({patterns_.name(input), "pattern", count * of_input, {}});
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  return parts;
}

}  // namespace zermelo::eval

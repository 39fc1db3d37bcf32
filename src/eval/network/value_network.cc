// The forward pass adds the rows of the inputs that hold, and passes through the neurons of the
// goals layer by layer. The backward pass is the usual one (Rumelhart, Hinton, Williams), along the
// same lists. Inputs of the goals' neurons are -1 and 1 in the paper and 0 and 1 here: an edge of
// weight w from an input x is w * (2x - 1), so its weight is 2w and the bias loses w.
//
// Rewards pass through the logistic function, and the loss is the cross entropy of reward and
// estimate. Its derivative by the sum is estimate - reward: it does not vanish where an estimate is
// certain and wrong.
#include "eval/network/value_network.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace zermelo::eval::network {
namespace {

using Row = Eigen::Map<Eigen::ArrayXf>;
using ConstRow = Eigen::Map<const Eigen::ArrayXf>;

// How strongly the outputs of goals count in the beginning: a true goal of 100 and a false one of 0
// make the estimate 0.98.
constexpr float goal_strength = 2;

Row row(float* data, std::size_t size) { return {data, static_cast<Eigen::Index>(size)}; }
ConstRow row(const float* data, std::size_t size) {
  return {data, static_cast<Eigen::Index>(size)};
}

// Uniform in [-1, 1).
float uniform(base::Random& random) {
  return static_cast<float>(random.next() >> 40) / static_cast<float>(1 << 23) - 1;
}

}  // namespace

struct ValueNetwork::Activations {
  std::vector<float> wide;                      // hidden neurons' outputs, then the roles' sums
  std::vector<float> neurons;                   // outputs of the goals' neurons
  std::vector<float> values;                    // by role
  std::vector<float> wide_error, neuron_error;  // derivatives by the sums
};

ValueNetwork::ValueNetwork(const DomainTheory& theory, std::span<const Input> input_of,
                           const Shape& shape)
    : shape_(shape), roles_(theory.roles()), neurons_(theory.rules().size()) {
  rows_ = allocate(shape.inputs * width());
  bias_ = allocate(width());
  hidden_ = allocate(shape.hidden * roles_);
  neuron_bias_ = allocate(neurons_);
  add_neurons(theory, input_of);
  base::Random random(shape.seed);
  const float scale = 1 / std::sqrt(static_cast<float>(std::max<std::size_t>(shape.inputs, 1)));
  for (std::size_t input = 0; input < shape.inputs; ++input) {
    float* weights = parameters_.data() + rows_ + input * width();
    for (std::size_t h = 0; h < shape.hidden; ++h) weights[h] = 4 * scale * uniform(random);
  }
  link_goals(theory);
  if (shape.start == Start::noise) set_noise();
}

ValueNetwork::Offset ValueNetwork::allocate(std::size_t parameters) {
  const auto first = static_cast<Offset>(parameters_.size());
  parameters_.resize(parameters_.size() + parameters);
  return first;
}

// Neurons are numbered by layer, so that a layer is a range.
void ValueNetwork::add_neurons(const DomainTheory& theory, std::span<const Input> input_of) {
  const std::vector<DomainTheory::Rule>& rules = theory.rules();
  std::vector<std::uint32_t> order(neurons_);
  number_.resize(neurons_);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rules[a].layer < rules[b].layer;
  });
  for (std::uint32_t i = 0; i < neurons_; ++i) number_[order[i]] = i;
  const LogicNetwork logic = LogicNetwork::generalised(theory);
  std::vector<std::vector<Edge>> of_input(shape_.inputs);
  for (std::uint32_t i = 0; i < neurons_; ++i) {
    const DomainTheory::Rule& rule = rules[order[i]];
    const LogicNetwork::Neuron& neuron = logic.neurons()[order[i]];
    if (i > 0 && rule.layer != rules[order[i - 1]].layer) layer_end_.push_back(i);
    first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
    const auto weight = static_cast<float>(neuron.weight);
    float bias = static_cast<float>(neuron.weight * neuron.bias);
    for (const DomainTheory::Literal& literal : rule.antecedents) {
      const float signed_weight = literal.negated ? -weight : weight;
      const Offset parameter = allocate(1);
      if (literal.node < theory.inputs()) {
        of_input[input_of[literal.node]].push_back({i, parameter});
        parameters_[parameter] = 2 * signed_weight;
        bias -= signed_weight;
      } else {
        edges_.push_back({number_[literal.node - theory.inputs()], parameter});
        parameters_[parameter] = signed_weight;
      }
    }
    parameters_[neuron_bias_ + i] = bias;
  }
  first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
  layer_end_.push_back(static_cast<std::uint32_t>(neurons_));
  for (const std::vector<Edge>& edges : of_input) {
    first_input_edge_.push_back(static_cast<std::uint32_t>(input_edges_.size()));
    input_edges_.insert(input_edges_.end(), edges.begin(), edges.end());
  }
  first_input_edge_.push_back(static_cast<std::uint32_t>(input_edges_.size()));
  find_goals(theory, input_of);
}

void ValueNetwork::find_goals(const DomainTheory& theory, std::span<const Input> input_of) {
  for (std::size_t role = 0; role < roles_; ++role) {
    std::vector<GoalSource>& sources = goals_.emplace_back();
    for (const DomainTheory::Goal& goal : theory.goals(role)) {
      GoalSource source;
      source.negated = goal.condition.literal.negated;
      const DomainTheory::Node node = goal.condition.literal.node;
      if (goal.condition.kind != DomainTheory::Condition::Kind::literal) {
        source.constant = goal.condition.kind == DomainTheory::Condition::Kind::always ? 1 : -1;
      } else if (node < theory.inputs()) {
        source.input = input_of[node];
      } else {
        source.neuron = number_[node - theory.inputs()];
      }
      sources.push_back(source);
    }
  }
}

// A goal that is an input adds to the role's weight of that input.
void ValueNetwork::link_goals(const DomainTheory& theory) {
  for (std::size_t role = 0; role < roles_; ++role) {
    float& bias = parameters_[bias_ + shape_.hidden + role];
    for (std::size_t g = 0; g < goals_[role].size(); ++g) {
      const GoalSource& source = goals_[role][g];
      const float wish = static_cast<float>(theory.goals(role)[g].value - 50) / 50;
      const float weight = goal_strength * (source.negated ? -wish : wish);
      if (source.neuron >= 0) {
        const Offset parameter = allocate(1);
        parameters_[parameter] = weight;
        links_.push_back({role, static_cast<std::uint32_t>(source.neuron), parameter});
      } else if (source.input >= 0) {
        const std::size_t of_input = rows_ + static_cast<std::size_t>(source.input) * width();
        parameters_[of_input + shape_.hidden + role] += 2 * weight;
        bias -= weight;
      } else {
        bias += weight * source.constant;
      }
    }
  }
}

// Uniform weights, smaller for neurons with many inputs.
void ValueNetwork::set_noise() {
  base::Random random(shape_.seed + 1);
  std::vector<std::size_t> sources(neurons_);
  for (const Edge& edge : input_edges_) ++sources[edge.neuron];
  for (std::size_t i = 0; i < neurons_; ++i) {
    sources[i] += first_edge_[i + 1] - first_edge_[i];
  }
  const auto draw = [&](std::size_t neuron) {
    return uniform(random) * 2 / std::sqrt(static_cast<float>(sources[neuron]));
  };
  for (const Edge& edge : input_edges_) parameters_[edge.weight] = draw(edge.neuron);
  for (std::size_t i = 0; i < neurons_; ++i) {
    parameters_[neuron_bias_ + i] = 0;
    for (std::uint32_t e = first_edge_[i]; e < first_edge_[i + 1]; ++e) {
      parameters_[edges_[e].weight] = draw(i);
    }
  }
  for (const Link& link : links_) parameters_[link.weight] = uniform(random) / 2;
  for (std::size_t input = 0; input < shape_.inputs; ++input) {
    row(parameters_.data() + rows_ + input * width() + shape_.hidden, roles_) = 0;
  }
  row(parameters_.data() + bias_ + shape_.hidden, roles_) = 0;
}

ValueNetwork::Activations& ValueNetwork::forward(std::span<const Input> active) const {
  thread_local Activations now;
  now.wide.assign(parameters_.begin() + bias_, parameters_.begin() + bias_ + width());
  now.neurons.assign(parameters_.begin() + neuron_bias_,
                     parameters_.begin() + neuron_bias_ + static_cast<std::ptrdiff_t>(neurons_));
  now.values.resize(roles_);
  Row wide = row(now.wide.data(), width());
  for (const Input input : active) {
    wide += row(parameters_.data() + rows_ + input * width(), width());
    for (std::uint32_t e = first_input_edge_[input]; e < first_input_edge_[input + 1]; ++e) {
      now.neurons[input_edges_[e].neuron] += parameters_[input_edges_[e].weight];
    }
  }
  std::uint32_t begin = 0;
  for (const std::uint32_t end : layer_end_) {
    for (std::uint32_t i = begin; i < end; ++i) {
      float sum = now.neurons[i];
      for (std::uint32_t e = first_edge_[i]; e < first_edge_[i + 1]; ++e) {
        sum += parameters_[edges_[e].weight] * now.neurons[edges_[e].neuron];
      }
      now.neurons[i] = sum;
    }
    Row layer = row(now.neurons.data() + begin, end - begin);
    layer = (0.5f * layer).tanh();
    begin = end;
  }
  const auto hidden = static_cast<Eigen::Index>(shape_.hidden);
  wide.head(hidden) = (0.5f * wide.head(hidden)).tanh();
  float* sums = now.wide.data() + shape_.hidden;
  for (std::size_t h = 0; h < shape_.hidden; ++h) {
    const float* weights = parameters_.data() + hidden_ + h * roles_;
    for (std::size_t role = 0; role < roles_; ++role) sums[role] += now.wide[h] * weights[role];
  }
  for (const Link& link : links_) {
    sums[link.role] += parameters_[link.weight] * now.neurons[link.neuron];
  }
  for (std::size_t role = 0; role < roles_; ++role) {
    now.values[role] = 1 / (1 + std::exp(-sums[role]));
  }
  return now;
}

void ValueNetwork::evaluate(std::span<const Input> active, std::span<float> values) const {
  const Activations& now = forward(active);
  std::copy(now.values.begin(), now.values.end(), values.begin());
}

float ValueNetwork::add_gradient(std::span<const Input> active, std::span<const float> targets,
                                 std::span<float> gradient) const {
  Activations& now = forward(active);
  now.wide_error.assign(width(), 0);
  now.neuron_error.assign(neurons_, 0);
  float* errors = now.wide_error.data() + shape_.hidden;
  float squares = 0;
  for (std::size_t role = 0; role < roles_; ++role) {
    errors[role] = now.values[role] - targets[role];
    squares += errors[role] * errors[role];
  }
  for (std::size_t h = 0; h < shape_.hidden; ++h) {
    float error = 0;
    for (std::size_t role = 0; role < roles_; ++role) {
      const std::size_t weight = hidden_ + h * roles_ + role;
      gradient[weight] += errors[role] * now.wide[h];
      error += errors[role] * parameters_[weight];
    }
    now.wide_error[h] = error * (1 - now.wide[h] * now.wide[h]) / 2;
  }
  for (const Link& link : links_) {
    gradient[link.weight] += errors[link.role] * now.neurons[link.neuron];
    now.neuron_error[link.neuron] += errors[link.role] * parameters_[link.weight];
  }
  for (std::size_t i = neurons_; i-- > 0;) {
    const float output = now.neurons[i];
    const float error = now.neuron_error[i] *= (1 - output * output) / 2;
    gradient[neuron_bias_ + i] += error;
    for (std::uint32_t e = first_edge_[i]; e < first_edge_[i + 1]; ++e) {
      gradient[edges_[e].weight] += error * now.neurons[edges_[e].neuron];
      now.neuron_error[edges_[e].neuron] += error * parameters_[edges_[e].weight];
    }
  }
  const Row wide_error = row(now.wide_error.data(), width());
  row(gradient.data() + bias_, width()) += wide_error;
  for (const Input input : active) {
    row(gradient.data() + rows_ + input * width(), width()) += wide_error;
    for (std::uint32_t e = first_input_edge_[input]; e < first_input_edge_[input + 1]; ++e) {
      gradient[input_edges_[e].weight] += now.neuron_error[input_edges_[e].neuron];
    }
  }
  return squares / static_cast<float>(roles_);
}

std::vector<float> ValueNetwork::goal_outputs(std::span<const Input> active,
                                              std::size_t role) const {
  const Activations& now = forward(active);
  std::vector<float> outputs;
  for (const GoalSource& source : goals_[role]) {
    float output = source.constant;
    if (source.neuron >= 0) output = now.neurons[static_cast<std::size_t>(source.neuron)];
    if (source.input >= 0) {
      output = std::count(active.begin(), active.end(), source.input) > 0 ? 1.0f : -1.0f;
    }
    outputs.push_back(source.negated ? -output : output);
  }
  return outputs;
}

}  // namespace zermelo::eval::network

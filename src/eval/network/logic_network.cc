// Michulke, "Neural Networks for State Evaluation in General Game Playing", and "Neural Networks
// for State Evaluation - generalised C-IL2P" (GIGA 2011). A rule q <- p1 and ... and pk, or with
// "or", becomes a neuron whose output is h(w * (sum of the outputs of the pi + bias)), h(x) = 2 /
// (1 + e^-x) - 1. Positive outputs mean true, negative ones false, so a negated antecedent is
// subtracted. The output grows with every antecedent that becomes true: it grades states that do
// not fulfil the condition, which is why it is an evaluation.
//
// The original C-IL2P has one weight W and one threshold of truth A_min for the whole network, both
// set by the rule with the most antecedents (equations 2 to 4). They are correct in the worst case,
// and so large that many outputs become 1 or -1 within machine precision. A_min is free above its
// bound; here it is the one that needs the smallest W, the best case for the original.
//
// The generalised version keeps for every neuron the four limits of its own output, and derives
// those of the next one from them (equations 5 and 6). A rule needs its true and false inputs to be
// apart by a distance; while they are not, the weights of its antecedents are increased (Theorem 1
// says that this ends). Its bias is the middle between them (equation 8), so its output is negative
// or positive as it should be whatever its own weight (Theorem 2). By induction over the layers
// every neuron is correct (Theorem 3). Weights start at 1.
//
// Rules are transformed layer by layer, in a layer those with most antecedents first, because they
// are likely to need the largest weights. A rule that increases the weight of a neuron changes the
// limits of its siblings, which read that neuron, too. So passes over all rules are repeated until
// one changes no weight; weights only grow, so there are few passes.
//
// A pass raises the weights of the antecedents together: all that are below a common floor are set
// to it, and the floor grows by 2% until the rule's inputs are distinct.
#include "eval/network/logic_network.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace zermelo::eval::network {

using Node = DomainTheory::Node;
using Rule = DomainTheory::Rule;

double activation(double x) { return std::tanh(x / 2); }

double smallest_weight(std::size_t max_antecedents, double truth) {
  const auto most = static_cast<double>(max_antecedents);
  return 2 * (std::log1p(truth) - std::log1p(-truth)) / (most * (truth - 1) + truth + 1);
}

// The weight is infinite at both ends of the range of A_min and has one minimum between them.
GlobalParameters smallest_parameters(std::size_t max_antecedents) {
  const auto most = static_cast<double>(max_antecedents);
  double low = (most - 1) / (most + 1), high = 1;
  for (int step = 0; step < 200; ++step) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    const bool is_left = smallest_weight(max_antecedents, a) < smallest_weight(max_antecedents, b);
    (is_left ? high : low) = is_left ? b : a;
  }
  const double truth = (low + high) / 2;
  return {truth, smallest_weight(max_antecedents, truth)};
}

LogicNetwork LogicNetwork::original(const DomainTheory& theory,
                                    const GlobalParameters& parameters) {
  LogicNetwork network(theory);
  for (std::size_t i = 0; i < network.neurons_.size(); ++i) {
    const Rule& rule = theory.rules()[i];
    const auto antecedents = static_cast<double>(rule.antecedents.size());
    const double threshold = (1 + parameters.truth) * (antecedents - 1) / 2;
    network.neurons_[i] = {parameters.weight,
                           rule.connective == DomainTheory::Operator::all ? -threshold : threshold,
                           {-1, -parameters.truth, parameters.truth, 1}};
  }
  return network;
}

class LogicNetwork::Transformation {
 public:
  Transformation(LogicNetwork& network, double distance)
      : theory_(network.theory_),
        neurons_(network.neurons_),
        inputs_(neurons_.size()),
        distance_(distance) {}

  void run() {
    std::vector<Node> order(neurons_.size());
    std::iota(order.begin(), order.end(), static_cast<Node>(theory_.inputs()));
    std::stable_sort(order.begin(), order.end(), [&](Node a, Node b) {
      const Rule &first = theory_.rule(a), &second = theory_.rule(b);
      if (first.layer != second.layer) return first.layer < second.layer;
      return first.antecedents.size() > second.antecedents.size();
    });
    for (weights_changed_ = true; weights_changed_;) {
      weights_changed_ = false;
      for (const Node node : order) transform(node);
    }
  }

 private:
  void transform(Node node) {
    const Rule& rule = theory_.rule(node);
    OutputLimits input = unbiased_input(rule);
    for (double floor = 1; input.truth < input.falsity + distance_; floor *= 1.02) {
      for (const DomainTheory::Literal& literal : rule.antecedents) raise(literal.node, floor);
      input = unbiased_input(rule);
    }
    const double bias = -(input.falsity + input.truth) / 2;  // equation (8)
    neuron(node).bias = bias;
    inputs_[node - theory_.inputs()] = {input.least + bias, input.falsity + bias,
                                        input.truth + bias, input.most + bias};
    set_limits(node);
  }

  // Equation (5).
  OutputLimits unbiased_input(const Rule& rule) const {
    OutputLimits sum{0, 0, 0, 0};
    double smallest_fall = 2, smallest_rise = 2;
    for (const DomainTheory::Literal& literal : rule.antecedents) {
      const OutputLimits output = limits(literal);
      sum.least += output.least;
      sum.falsity += output.falsity;
      sum.truth += output.truth;
      sum.most += output.most;
      smallest_fall = std::min(smallest_fall, output.most - output.falsity);
      smallest_rise = std::min(smallest_rise, output.truth - output.least);
    }
    if (rule.connective == DomainTheory::Operator::all) {
      sum.falsity = sum.most - smallest_fall;
    } else {
      sum.truth = sum.least + smallest_rise;
    }
    return sum;
  }

  // Equation (6) for a negated antecedent.
  OutputLimits limits(const DomainTheory::Literal& literal) const {
    OutputLimits found;
    if (literal.node >= theory_.inputs()) {
      found = neurons_[literal.node - theory_.inputs()].limits;
    }
    if (!literal.negated) return found;
    return {-found.most, -found.truth, -found.falsity, -found.least};
  }

  void raise(Node node, double floor) {
    if (node < theory_.inputs() || neuron(node).weight >= floor) return;
    neuron(node).weight = floor;
    set_limits(node);
    weights_changed_ = true;
  }

  void set_limits(Node node) {
    const OutputLimits& input = inputs_[node - theory_.inputs()];
    const double weight = neuron(node).weight;
    neuron(node).limits = {activation(weight * input.least), activation(weight * input.falsity),
                           activation(weight * input.truth), activation(weight * input.most)};
  }

  Neuron& neuron(Node node) { return neurons_[node - theory_.inputs()]; }

  const DomainTheory& theory_;
  std::vector<Neuron>& neurons_;
  std::vector<OutputLimits> inputs_;  // biased, not weighted; by rule
  double distance_;
  bool weights_changed_ = false;
};

LogicNetwork LogicNetwork::generalised(const DomainTheory& theory, double distance) {
  assert(distance > 0 && distance < 2);
  LogicNetwork network(theory);
  Transformation(network, distance).run();
  return network;
}

void LogicNetwork::evaluate(std::span<double> outputs) const {
  for (std::size_t i = 0; i < neurons_.size(); ++i) {
    double sum = neurons_[i].bias;
    for (const DomainTheory::Literal& literal : theory_.rules()[i].antecedents) {
      sum += literal.negated ? -outputs[literal.node] : outputs[literal.node];
    }
    outputs[theory_.inputs() + i] = activation(neurons_[i].weight * sum);
  }
}

double LogicNetwork::output(const DomainTheory::Condition& condition,
                            std::span<const double> outputs) {
  if (condition.kind != DomainTheory::Condition::Kind::literal) {
    return condition.kind == DomainTheory::Condition::Kind::always ? 1 : -1;
  }
  const double of_node = outputs[condition.literal.node];
  return condition.literal.negated ? -of_node : of_node;
}

bool LogicNetwork::represents(const std::vector<bool>& holds,
                              std::span<const double> outputs) const {
  constexpr double rounding = 1e-9;
  for (std::size_t i = 0; i < neurons_.size(); ++i) {
    const OutputLimits& limits = neurons_[i].limits;
    const double output = outputs[theory_.inputs() + i];
    const bool is_true = holds[theory_.inputs() + i];
    const double low = is_true ? limits.truth : limits.least,
                 high = is_true ? limits.most : limits.falsity;
    const bool is_within = output >= low - rounding && output <= high + rounding;
    if (!is_within || is_true != (output > 0)) return false;
  }
  return true;
}

}  // namespace zermelo::eval::network

// A domain theory as a neural network that is correct without training: C-IL2P and its
// generalisation (logic_network.cc). Reference implementation in double precision; value_network.h
// evaluates and trains the same neurons.
#pragma once

#include <span>
#include <vector>

#include "eval/network/domain_theory.h"

namespace zermelo::eval::network {

// The outputs of a neuron: from `least` to `falsity` if its condition is false, from `truth` to
// `most` if it is true. falsity < 0 < truth.
struct OutputLimits {
  double least = -1, falsity = -1, truth = 1, most = 1;
};

// The parameters of the original C-IL2P, equations (3) and (4) of the paper.
struct GlobalParameters {
  double truth;   // A_min, the smallest output that means true
  double weight;  // W, of all connections
};

// The parameters for rules with at most so many antecedents (at least 2) with the smallest weight
// that equation (4) allows for any A_min.
GlobalParameters smallest_parameters(std::size_t max_antecedents);

// The smallest weight that equation (4) allows.
double smallest_weight(std::size_t max_antecedents, double truth);

class LogicNetwork {
 public:
  // The output is h(weight * (sum of the antecedents' outputs, negated ones subtracted, + bias)).
  struct Neuron {
    double weight = 1;
    double bias = 0;
    OutputLimits limits = {};
  };

  // The original C-IL2P. The parameters must satisfy equations (3) and (4).
  static LogicNetwork original(const DomainTheory& theory, const GlobalParameters& parameters);
  // The generalised C-IL2P; the inputs of a neuron that mean true and false differ by at least
  // `distance`, above 0 and below 2.
  static LogicNetwork generalised(const DomainTheory& theory, double distance = 1);

  // By rule.
  const std::vector<Neuron>& neurons() const { return neurons_; }
  // Sets the outputs of the rules; those of the inputs, from -1 to 1, must be set.
  void evaluate(std::span<double> outputs) const;
  // The output of a goal: that of its literal, or -1 or 1.
  static double output(const DomainTheory::Condition& condition, std::span<const double> outputs);
  // Whether the outputs of all rules are within the limits of their truth. `holds` says what is
  // true.
  bool represents(const std::vector<bool>& holds, std::span<const double> outputs) const;

 private:
  explicit LogicNetwork(const DomainTheory& theory)
      : theory_(theory), neurons_(theory.rules().size()) {}
  class Transformation;

  DomainTheory theory_;
  std::vector<Neuron> neurons_;
};

// The bipolar activation function: 2 / (1 + e^-x) - 1.
double activation(double x);

}  // namespace zermelo::eval::network

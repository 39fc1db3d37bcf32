// A network that estimates the rewards of all roles and can be trained: the neurons of the goals
// (logic_network.h), the inputs themselves, and a layer of hidden neurons.
//
// Role r expects the reward logistic(sum of its goals' outputs, of its weight for every input that
// holds, and of the hidden neurons). In the beginning all but the first are 0, so the estimate is
// that of the correct network: above 1/2 where a goal above 50 is true.
//
// Inputs are named by their numbers, and those that hold are listed: most fluents of a state do not
// hold, and what does not hold costs nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/network/domain_theory.h"
#include "eval/network/logic_network.h"

namespace zermelo::eval::network {

// What weights training starts from.
enum class Start : std::uint8_t {
  correct,  // the generalised C-IL2P
  noise,    // the same connections, with random weights
};

class ValueNetwork {
 public:
  struct Shape {
    std::size_t inputs = 0;  // at least those that `input_of` names
    std::size_t hidden = 32;
    Start start = Start::correct;
    std::uint64_t seed = 1;  // of the hidden neurons and of noise
  };
  using Input = std::uint32_t;

  // `input_of` maps the inputs of the theory to those of the network.
  ValueNetwork(const DomainTheory& theory, std::span<const Input> input_of, const Shape& shape);

  const Shape& shape() const { return shape_; }
  std::size_t roles() const { return roles_; }

  // Sets the expected rewards of the roles, from 0 to 1. `active` lists the inputs that hold.
  void evaluate(std::span<const Input> active, std::span<float> values) const;
  // Adds the derivatives of the cross entropy of the targets, summed over roles, to `gradient`, by
  // parameter. Returns the mean squared difference from the targets.
  float add_gradient(std::span<const Input> active, std::span<const float> targets,
                     std::span<float> gradient) const;
  // The outputs of the goals of a role, from -1 to 1, in the order of the theory.
  std::vector<float> goal_outputs(std::span<const Input> active, std::size_t role) const;

  std::span<const float> parameters() const { return parameters_; }
  std::span<float> parameters() { return parameters_; }

 private:
  using Offset = std::uint32_t;  // in the parameters
  struct Edge {
    std::uint32_t neuron;  // the source; for edges from inputs the target
    Offset weight;
  };
  struct Link {
    std::size_t role;
    std::uint32_t neuron;
    Offset weight;
  };
  struct Activations;

  Offset allocate(std::size_t parameters);
  void add_neurons(const DomainTheory& theory, std::span<const Input> input_of);
  void find_goals(const DomainTheory& theory, std::span<const Input> input_of);
  void link_goals(const DomainTheory& theory);
  void set_noise();
  Activations& forward(std::span<const Input> active) const;
  std::size_t width() const { return shape_.hidden + roles_; }

  Shape shape_;
  std::size_t roles_;
  std::size_t neurons_;
  std::vector<float> parameters_;
  Offset rows_ = 0;    // by input: weights to hidden neurons, then to roles
  Offset bias_ = 0;    // of the same
  Offset hidden_ = 0;  // by hidden neuron: weights to roles
  Offset neuron_bias_ = 0;
  std::vector<std::uint32_t> number_;  // neurons by rule: they are sorted by layer
  std::vector<std::uint32_t> layer_end_;
  std::vector<std::uint32_t> first_input_edge_;  // by input; one more at the end
  std::vector<Edge> input_edges_;
  std::vector<std::uint32_t> first_edge_;  // by neuron that reads; one more at the end
  std::vector<Edge> edges_;
  std::vector<Link> links_;
  struct GoalSource {
    float constant = 0;  // if there is neither a neuron nor an input
    std::int64_t neuron = -1, input = -1;
    bool negated = false;
  };
  std::vector<std::vector<GoalSource>> goals_;  // by role
};

}  // namespace zermelo::eval::network

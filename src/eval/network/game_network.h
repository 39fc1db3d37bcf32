// A network for one game, with all that training needs to continue.
//
//   GameNetwork network = GameNetwork::make(machine, {}).value();   // correct, not trained
//   Trainer(network).train_round(limits);                           // trainer.h
//   write(network);                                                 // network_file.h
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "eval/network/learning_curve.h"
#include "eval/network/network_inputs.h"
#include "eval/network/value_network.h"

namespace zermelo::eval::network {

struct NetworkOptions {
  std::size_t hidden = 32;
  Start start = Start::correct;
  std::uint64_t seed = 1;
};

// Steps of Adam (Kingma and Ba): every weight has its own step size.
class Optimiser {
 public:
  explicit Optimiser(std::size_t parameters) : mean_(parameters), square_(parameters) {}

  // Moves the parameters against the gradient.
  void step(std::span<float> parameters, std::span<const float> gradient);

  std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }
  // Moving averages of the gradient and of its square.
  std::span<float> mean() { return mean_; }
  std::span<float> square() { return square_; }
  std::span<const float> mean() const { return mean_; }
  std::span<const float> square() const { return square_; }

 private:
  std::vector<float> mean_, square_;
  std::uint64_t steps_ = 0;
};

struct TrainingProgress {
  std::uint64_t rounds = 0;
  std::uint64_t games = 0;
  std::uint64_t positions = 0;
  double seconds = 0;
  LearningCurve curve = {};
};

struct GameNetwork {
  // Fails with not_applicable for games with hidden information or chance, and if the network were
  // too large.
  static base::Result<GameNetwork> make(std::shared_ptr<const machine::Machine> machine,
                                        const NetworkOptions& options);

  std::shared_ptr<const machine::Machine> machine;
  NetworkOptions options;
  NetworkInputs inputs;
  ValueNetwork network;
  Optimiser optimiser;
  TrainingProgress progress = {};
};

}  // namespace zermelo::eval::network

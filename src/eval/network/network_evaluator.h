// A network as an evaluation.
//
//   auto network = GameNetwork::make(machine, {});        // correct, not trained
//   NetworkEvaluator evaluator(std::move(*network));
//   evaluator.evaluate(states, values);
#pragma once

#include "eval/evaluator.h"
#include "eval/network/game_network.h"

namespace zermelo::eval::network {

class NetworkEvaluator : public Evaluator {
 public:
  explicit NetworkEvaluator(GameNetwork network) : network_(std::move(network)) {}

  void evaluate(std::span<const machine::State> states, std::span<float> values) const override;
  // The outputs of the goals, from -1 to 1.
  std::vector<EvaluationPart> explain(const machine::State& state, std::size_t role) const override;

  const GameNetwork& network() const { return network_; }

 private:
  GameNetwork network_;
};

}  // namespace zermelo::eval::network

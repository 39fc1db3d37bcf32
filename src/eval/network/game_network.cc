#include "eval/network/game_network.h"

#include <Eigen/Core>
#include <cmath>

namespace zermelo::eval::network {
namespace {

constexpr std::size_t max_literals = 50'000;       // of the goals; beyond, conditions are inputs
constexpr std::size_t max_parameters = 1'500'000;  // so that files stay below 64 MB

// Large at first, so that a start from noise is left soon, then smaller, so that weights settle.
float step_size(std::uint64_t step) {
  constexpr double first = 0.02, halving = 10'000;
  return static_cast<float>(first / std::pow(1 + static_cast<double>(step) / halving, 0.75));
}

}  // namespace

void Optimiser::step(std::span<float> parameters, std::span<const float> gradient) {
  constexpr float keep_mean = 0.9f, keep_square = 0.999f, smallest = 1e-8f;
  ++steps_;
  const auto size = static_cast<Eigen::Index>(parameters.size());
  const Eigen::Map<const Eigen::ArrayXf> now(gradient.data(), size);
  Eigen::Map<Eigen::ArrayXf> values(parameters.data(), size), mean(mean_.data(), size),
      square(square_.data(), size);
  mean = keep_mean * mean + (1 - keep_mean) * now;
  square = keep_square * square + (1 - keep_square) * now.square();
  const auto steps = static_cast<double>(steps_);
  const auto mean_bias = static_cast<float>(1 - std::pow(static_cast<double>(keep_mean), steps));
  const auto square_bias =
      static_cast<float>(1 - std::pow(static_cast<double>(keep_square), steps));
  values -= step_size(steps_) / mean_bias * mean / ((square / square_bias).sqrt() + smallest);
}

base::Result<GameNetwork> GameNetwork::make(std::shared_ptr<const machine::Machine> machine,
                                            const NetworkOptions& options) {
  const ground::Game& game = machine->game();
  if (game.imperfect_information()) {
    return base::fail(base::ErrorKind::not_applicable,
                      "networks do not apply to games with hidden information or chance");
  }
  const DomainTheory theory(game, max_literals);
  NetworkInputs inputs(game, theory);
  if (options.hidden > max_parameters ||
      inputs.size() * (options.hidden + game.roles.size()) > max_parameters) {
    return base::fail(base::ErrorKind::not_applicable, "the network would be too large");
  }
  ValueNetwork network(theory, inputs.of_theory(),
                       {inputs.size(), options.hidden, options.start, options.seed});
  const std::size_t parameters = network.parameters().size();
  return GameNetwork{std::move(machine),    options, std::move(inputs), std::move(network),
                     Optimiser(parameters), {}};
}

}  // namespace zermelo::eval::network

// What a game is composed of, as far as its rules show: found when asked for, and once.
//
//   Factoring factoring(machine);
//   if (const auto* found = factoring.subgames(Grain::symbol, limits)) ...
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/serial_stages.h"
#include "analysis/subgames.h"
#include "base/limits.h"
#include "machine/machine.h"

namespace zermelo::search::decomposition {

// The coarser grain is preferred: finer subgames are smaller, but more have to be combined.
inline constexpr std::array grains = {analysis::Grain::symbol, analysis::Grain::ground};

class Factoring {
 public:
  explicit Factoring(std::shared_ptr<const machine::Machine> machine)
      : machine_(std::move(machine)) {}

  const std::shared_ptr<const machine::Machine>& machine() const { return machine_; }
  machine::State initial_state() const { return machine::Stepper(machine_).initial_state(); }
  // Returns null if the game does not decompose, and for the ground grain also if it finds the
  // subgames of the symbol grain. Also null if a limit was reached at the first call.
  const analysis::Decomposition* subgames(analysis::Grain grain, const base::Limits& limits);
  // Returns no stages if a limit was reached at the first call.
  const std::vector<analysis::SerialStage>& stages(const base::Limits& limits);

 private:
  using Found = std::optional<analysis::Decomposition>;  // nullopt: none

  std::shared_ptr<const machine::Machine> machine_;
  std::array<std::optional<Found>, grains.size()> subgames_;  // by grain; nullopt: not looked for
  std::optional<std::vector<analysis::SerialStage>> stages_;  // nullopt: not looked for
};

// "2 stages that can be over before the game ends"
std::string description_of(const std::vector<analysis::SerialStage>& stages);

}  // namespace zermelo::search::decomposition

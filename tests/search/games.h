// Games as simulators, for the tests of search.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "families/families.h"
#include "search/random_move.h"
#include "support/load.h"

namespace zermelo::search {

using SimulatorPointer = std::shared_ptr<const Simulator>;

inline SimulatorPointer simulator_of(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                     const SimulatorOptions& options = {}) {
  auto simulator = make_simulator(std::move(rulesheet), options);
  if (!simulator) throw std::runtime_error(simulator.error().message);
  return *simulator;
}

inline SimulatorPointer shipped(const std::string& name, const SimulatorOptions& options = {}) {
  return simulator_of(testing::rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif"), options);
}

inline SimulatorPointer generated(const std::string& family,
                                  const std::vector<std::string>& sizes) {
  return simulator_of(testing::rulesheet(families::generate(family, sizes).value()));
}

// Returns the state after `depth` random moves, or the last non-terminal state of a shorter game.
inline State random_state(const Simulator& simulator, std::size_t depth, base::Random& random) {
  const auto walker = simulator.walker();
  walker->go_to(simulator.initial());
  State state = walker->state();
  for (std::size_t i = 0; i < depth; ++i) {
    std::vector<Move> joint(simulator.roles().size());
    choose_at_random(*walker, random, joint);
    walker->make(joint);
    if (walker->terminal()) break;
    state = walker->state();
  }
  return state;
}

}  // namespace zermelo::search

// A game as the members of a coalition see it: the same rules, other rewards.
//
//   auto game = make_coalition_simulator(simulator, {.members = {true, true, false}});
//   Uct(game, ...)  // plays for the sum of the first two roles
#pragma once

#include <memory>
#include <vector>

#include "search/simulator.h"

namespace zermelo::search {

struct CoalitionRewards {
  std::vector<bool> members;  // by role; at least one
  // What the other roles want: their own rewards, or that the coalition gets little.
  bool others_oppose = false;
};

// Returns a simulator with the states and moves of the given one. The reward of a member is the
// mean reward of all members, rounded to an integer in terminal states, so that members maximise
// the sum of their rewards. With others_oppose, the reward of another role is 100 minus that mean.
// It has no machine and no programs of playouts, because these have the rewards of the rules.
std::shared_ptr<const Simulator> make_coalition_simulator(
    std::shared_ptr<const Simulator> simulator, CoalitionRewards rewards);

}  // namespace zermelo::search

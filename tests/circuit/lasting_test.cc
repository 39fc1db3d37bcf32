// What lasts: on rules where it is known, and along random games, where it must.
#include "circuit/lasting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "ground/ground.h"
#include "lanes/sliced_machine.h"
#include "machine/machine.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::circuit {
namespace {

using machine::State;

LastingFacts lasting(const ground::Game& game) {
  return find_lasting(game, build_circuit(game, FixedFluents(game.fluents.size())));
}

std::set<std::string> names(const ground::Game& game, const std::vector<bool>& which) {
  std::set<std::string> result;
  for (ground::Atom f = 0; f < which.size(); ++f) {
    if (which[f]) result.insert(game.fluent_name(f));
  }
  return result;
}

using Names = std::set<std::string>;

TEST(Lasting, WallsMarksFuelAndLight) {
  const auto game =
      ground::ground(
          testing::rulesheet("(role r) (init (wall a)) (init fuel) (init light) (legal r m) (legal "
                             "r n)\n"
                             "(<= (next (wall ?x)) (true (wall ?x)) (not (gone ?x)))\n"
                             "(<= (gone ?x) (true (wall ?x)) (true (hole ?x)))\n"
                             "(<= (next (hole ?x)) (true (wall ?x)) (true (hole ?x)))\n"
                             "(<= (next mark) (true mark)) (<= (next mark) (not (true mark)) (does "
                             "r m))\n"
                             "(<= (next fuel) (true fuel) (does r m))\n"
                             "(<= (next light) (not (true light)))\n"
                             "(<= (goal r 100) (true mark) (not (true fuel))) (<= terminal (true "
                             "light) (true (wall a)))"))
          .value();
  const LastingFacts facts = lasting(game);
  std::vector<bool> always, never;
  for (const auto& constant : facts.constant) {
    always.push_back(constant == std::optional(true));
    never.push_back(constant == std::optional(false));
  }
  EXPECT_EQ(names(game, always), Names{"(wall a)"});
  for (const std::string& name : names(game, never)) EXPECT_EQ(name, "(hole a)");
  EXPECT_EQ(names(game, facts.stays_true), Names{"mark"});
  EXPECT_EQ(names(game, facts.stays_false), Names{"fuel"});
  EXPECT_GE(facts.lasting_gates, 1u);  // the goal
}

// Checks a claim about two states, one after the other.
void expect_lasting(const LastingFacts& facts, const State& before, const State& after) {
  for (ground::Atom f = 0; f < facts.constant.size(); ++f) {
    const bool changes = before.test(f) != after.test(f);
    EXPECT_EQ(facts.constant[f].value_or(after.test(f)), after.test(f));
    EXPECT_FALSE(facts.stays_true[f] && before.test(f) && changes);
    EXPECT_FALSE(facts.stays_false[f] && !before.test(f) && changes);
  }
}

TEST(Lasting, HoldsAlongRandomGames) {
  std::size_t constant = 0, stays = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    machine::Stepper stepper(std::make_shared<const machine::Machine>(
        ground::ground(testing::rulesheet(testing::random_game(seed))).value()));
    const LastingFacts facts = lasting(stepper.machine().game());
    constant += static_cast<std::size_t>(std::count_if(
        facts.constant.begin(), facts.constant.end(), [](const auto& f) { return f.has_value(); }));
    stays += names(stepper.machine().game(), facts.stays_true).size();
    base::Random random(seed);
    State state = stepper.initial_state();
    expect_lasting(facts, state, state);
    while (!stepper.terminal(state)) {
      std::vector<base::Move> joint;
      for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
        const std::vector<base::Move> legal = stepper.legal_moves(state, role);
        joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
      }
      const State next = stepper.next_state(state, joint);
      expect_lasting(facts, state, next);
      state = next;
    }
  }
  EXPECT_GT(constant, 300u);
  EXPECT_GT(stays, 100u);
}

// A state that contradicts what never changes is in no phase of the lanes; Stepper takes it.
TEST(Lasting, UnreachableStatesAreRefusedByLanesOnly) {
  auto game = ground::ground(testing::rulesheet(
                                 "(role r) (init wall) (init go) (legal r m) (<= (next wall) (true "
                                 "wall)) (<= terminal (not (true wall))) (<= (goal r 100) (true "
                                 "go)) (<= (next go) (true wall) (not (true go)))"))
                  .value();
  const auto machine = std::make_shared<const machine::Machine>(std::move(game));
  machine::Stepper stepper(machine);
  const auto sliced = lanes::SlicedMachine::make(machine->compiled()).value();
  const State empty(stepper.machine().game().fluents.size());
  EXPECT_TRUE(sliced->phase_of(stepper.initial_state()).has_value());
  EXPECT_FALSE(sliced->phase_of(empty).has_value());
  EXPECT_FALSE(stepper.terminal(stepper.initial_state()));
  EXPECT_TRUE(stepper.terminal(empty));
}

}  // namespace
}  // namespace zermelo::circuit

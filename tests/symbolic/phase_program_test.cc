// Rules specialised to a position of the clock, and conditions made of them, where rules are
// circular.
#include "symbolic/phase_program.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/load_game.h"
#include "symbolic/layers.h"
#include "symbolic/rule_conditions.h"

namespace zermelo::symbolic {
namespace {

using testing::from_text;
using testing::MachinePointer;

const std::string lamp = R"(
  (role keeper) (shade dark) (shade dim) (shade bright) (init (lamp dark)) (goal keeper 0)
  (<= (legal keeper (set ?s)) (shade ?s))
  (<= (next (lamp ?s)) (does keeper (set ?s))))";

const std::string three_steps = R"(
  (role keeper) (init (step 1)) (goal keeper 0) (legal keeper wait)
  (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
  (<= (next (step 3)) (true (step 3))))";

Layers layers_of(const MachinePointer& machine) {
  return find_layers(build_model(machine, find_encoding(machine)).value()).value();
}

// The game must be over exactly where the lamp is bright, by either way to ask, and so have three
// states.
void expect_over_when_bright(const std::string& rules_of_termination) {
  SCOPED_TRACE(rules_of_termination);
  const MachinePointer machine = from_text(lamp + rules_of_termination);
  const ground::Game& game = machine->game();
  const Encoding encoding = find_encoding(machine);
  const PhaseProgram program(game, encoding, 0);
  dd::Conditions conditions(encoding.domains());
  RuleConditions rules(program, encoding, conditions);
  const auto& place = encoding.place(game.fluents_by_name().at("(lamp bright)"));
  const dd::Conditions::Id bright = conditions.literal(place->variable, {place->value});
  const auto disjuncts = rules.disjuncts(game.terminal, 1 << 20).value();
  EXPECT_EQ(std::set(disjuncts.begin(), disjuncts.end()), std::set{bright});
  EXPECT_EQ(rules.of(game.terminal).value(), bright);
  EXPECT_EQ(layers_of(machine).states(), 3);
}

TEST(PhaseProgram, ARuleThatRepeatsItsHeadAddsNothing) {
  expect_over_when_bright("(<= terminal over) (<= over over) (<= over (true (lamp bright)))");
  expect_over_when_bright(
      "(<= terminal over) (<= over over (true (lamp dim))) (<= over (true (lamp bright)))");
}

TEST(PhaseProgram, AtomsThatImplyEachOther) {
  expect_over_when_bright("(<= terminal a) (<= a b) (<= b a) (<= a (true (lamp bright)))");
  expect_over_when_bright("(<= terminal a) (<= a b) (<= b a) (<= b (true (lamp bright)))");
  expect_over_when_bright("(<= terminal a) (<= a terminal) (<= a (true (lamp bright)))");
  expect_over_when_bright(R"((<= terminal a) (<= terminal b)
    (<= a a) (<= a b) (<= b a) (<= b b) (<= b (true (lamp bright))))");
}

// What is left of termination at the other steps is that it holds if it holds.
TEST(PhaseProgram, WhatOnlyImpliesItselfIsKnownToFail) {
  const MachinePointer machine =
      from_text(three_steps + "(<= terminal terminal) (<= terminal (true (step 2)))");
  const Encoding encoding = find_encoding(machine);
  ASSERT_EQ(encoding.clock().positions(), 3u);
  const auto terminal_at = [&](std::size_t position) {
    return PhaseProgram(machine->game(), encoding, position).known(machine->game().terminal);
  };
  EXPECT_EQ(terminal_at(0), Known::no);
  EXPECT_EQ(terminal_at(1), Known::yes);
  EXPECT_EQ(terminal_at(2), Known::no);
}

TEST(PhaseProgram, FoundGame) {
  const MachinePointer machine = testing::machine_of(
      testing::rulesheet_file(ZERMELO_ROOT "/tests/found/rule_repeats_its_head.gdl"));
  const Layers layers = layers_of(machine);
  EXPECT_TRUE(layers.complete);
  EXPECT_EQ(layers.states(), 3);
  EXPECT_EQ(layers.terminal_states(), 1);
}

}  // namespace
}  // namespace zermelo::symbolic

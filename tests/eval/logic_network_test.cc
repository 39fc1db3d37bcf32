// Goals as networks: C-IL2P and its generalisation.
#include "eval/network/logic_network.h"

#include <gtest/gtest.h>

#include "analysis/random_walk.h"
#include "base/random.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::eval::network {
namespace {

using Condition = DomainTheory::Condition;
using Operator = DomainTheory::Operator;

Condition input(std::uint32_t number) { return {Condition::Kind::literal, {number, false}}; }

// A conjunction of so many inputs.
DomainTheory conjunction(std::size_t antecedents) {
  DomainTheory theory(antecedents);
  std::vector<Condition> conditions;
  for (std::uint32_t i = 0; i < antecedents; ++i) conditions.push_back(input(i));
  theory.add(Operator::all, conditions);
  return theory;
}

// Rules over random literals of earlier nodes.
DomainTheory random_theory(std::size_t inputs, std::size_t rules, base::Random& random) {
  DomainTheory theory(inputs);
  for (std::size_t i = 0; i < rules; ++i) {
    std::vector<Condition> conditions;
    for (std::uint32_t k = 2 + random.below(5); k > 0; --k) {
      const Condition any = input(random.below(static_cast<std::uint32_t>(theory.nodes())));
      conditions.push_back(random.below(3) == 0 ? negation_of(any) : any);
    }
    theory.add(random.below(2) == 0 ? Operator::all : Operator::any, conditions);
  }
  return theory;
}

// Sets inputs from bits or, without them, at random, and the outputs of both networks' inputs.
void set_inputs(const DomainTheory& theory, std::uint64_t bits, std::vector<bool>& holds,
                std::vector<double>& outputs) {
  for (std::size_t i = 0; i < theory.inputs(); ++i) {
    holds[i] = bits >> (i % 64) & 1;
    outputs[i] = holds[i] ? 1 : -1;
  }
  theory.derive(holds);
}

LogicNetwork original(const DomainTheory& theory) {
  const std::size_t most = std::max<std::size_t>(theory.max_antecedents(), 2);
  return LogicNetwork::original(theory, smallest_parameters(most));
}

void expect_correct(const DomainTheory& theory, const std::vector<bool>& holds,
                    std::vector<double>& outputs, const LogicNetwork& network) {
  network.evaluate(outputs);
  ASSERT_TRUE(network.represents(holds, outputs));
  for (DomainTheory::Node node = 0; node < theory.nodes(); ++node) {
    ASSERT_EQ(outputs[node] > 0, holds[node]);
  }
}

// Example 1 of the paper: to the digits that it prints.
TEST(LogicNetwork, MatchesExample1OfThePaper) {
  const LogicNetwork network = LogicNetwork::original(conjunction(4), {0.9, 4});
  const double expected[] = {-1.000000, -1.000000, -0.999978, -0.935409, 0.980096};
  for (int trues = 0; trues <= 4; ++trues) {
    std::vector<double> outputs(5, -1);
    std::fill_n(outputs.begin(), trues, 1);
    network.evaluate(outputs);
    EXPECT_NEAR(outputs[4], expected[trues], 0.5e-6);
  }
}

TEST(LogicNetwork, Equation4GivesTheWeightOfExample1) {
  EXPECT_NEAR(smallest_weight(4, 0.9), 3.93, 0.005);
  const GlobalParameters best = smallest_parameters(4);
  EXPECT_GT(best.truth, 0.6);  // equation (3)
  EXPECT_LE(best.weight, smallest_weight(4, 0.9));
}

// The generalised network tells apart what the original maps to -1.
TEST(LogicNetwork, TheGeneralisedOneDistinguishesMore) {
  const LogicNetwork network = LogicNetwork::generalised(conjunction(4));
  double before = -1;
  for (int trues = 0; trues <= 4; ++trues) {
    std::vector<double> outputs(5, -1);
    std::fill_n(outputs.begin(), trues, 1);
    network.evaluate(outputs);
    EXPECT_GT(outputs[4], before + 1e-4);
    before = outputs[4];
  }
  EXPECT_GT(before, 0);
}

TEST(LogicNetwork, BothAreCorrectOnAllInputsOfRandomTheories) {
  base::Random random(5);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const DomainTheory theory = random_theory(1 + random.below(9), 1 + random.below(12), random);
    const LogicNetwork networks[] = {original(theory), LogicNetwork::generalised(theory)};
    std::vector<bool> holds(theory.nodes());
    std::vector<double> outputs(theory.nodes());
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << theory.inputs(); ++bits) {
      set_inputs(theory, bits, holds, outputs);
      for (const LogicNetwork& network : networks) expect_correct(theory, holds, outputs, network);
    }
  }
}

// Outputs stay within their limits also if inputs of true neurons vary, and both limits are
// reached.
TEST(LogicNetwork, LimitsAreReached) {
  const DomainTheory theory = conjunction(5);
  const LogicNetwork network = LogicNetwork::generalised(theory);
  std::vector<double> outputs(6, -1);
  network.evaluate(outputs);
  EXPECT_DOUBLE_EQ(outputs[5], network.neurons()[0].limits.least);
  std::fill_n(outputs.begin(), 4, 1);
  network.evaluate(outputs);
  EXPECT_DOUBLE_EQ(outputs[5], network.neurons()[0].limits.falsity);
  outputs[4] = 1;
  network.evaluate(outputs);
  EXPECT_DOUBLE_EQ(outputs[5], network.neurons()[0].limits.truth);
  EXPECT_DOUBLE_EQ(outputs[5], network.neurons()[0].limits.most);
}

// A disjunction of conjunctions and a larger one that shares them: the latter raises their weights
// after the former was transformed.
TEST(LogicNetwork, WeightsThatASiblingRaisesKeepTheNetworkCorrect) {
  DomainTheory theory(12);
  std::vector<Condition> pairs;
  for (std::uint32_t i = 0; i + 1 < 12; ++i) {
    const Condition pair[] = {input(i), input(i + 1)};
    pairs.push_back(theory.add(Operator::all, pair));
  }
  const Condition few[] = {pairs[0], pairs[1]};
  const Condition deep[] = {theory.add(Operator::any, few), input(5)};
  const Condition higher[] = {theory.add(Operator::all, deep), pairs[3]};
  theory.add(Operator::any, higher);
  theory.add(Operator::any, pairs);
  const LogicNetwork network = LogicNetwork::generalised(theory);
  EXPECT_GT(network.neurons()[0].weight, 1);
  std::vector<bool> holds(theory.nodes());
  std::vector<double> outputs(theory.nodes());
  for (std::uint64_t bits = 0; bits < 1 << 12; ++bits) {
    set_inputs(theory, bits, holds, outputs);
    expect_correct(theory, holds, outputs, network);
  }
}

// The theory of a game says the same as its goals, and both networks agree, in states of random
// games and for random inputs.
void expect_correct_goals(const testing::MachinePointer& machine) {
  const DomainTheory theory(machine->game());
  const LogicNetwork networks[] = {original(theory), LogicNetwork::generalised(theory)};
  std::vector<bool> holds(theory.nodes());
  std::vector<double> outputs(theory.nodes());
  machine::Cursor cursor(machine);
  analysis::RandomWalk walk(machine, {.seed = 3, .max_depth = 200});
  for (int step = 0; step < 60; ++step) {
    cursor.reset(walk.state());
    bool is_readable = true;
    for (DomainTheory::Node node = 0; node < theory.inputs(); ++node) {
      is_readable = is_readable && theory.atom(node) < machine->game().fluents.size();
      holds[node] = is_readable && walk.state().test(theory.atom(node));
      outputs[node] = holds[node] ? 1 : -1;
    }
    if (!is_readable) return;  // recursive goals: NetworkInputs
    theory.derive(holds);
    for (const LogicNetwork& network : networks) {
      expect_correct(theory, holds, outputs, network);
      for (std::size_t role = 0; role < theory.roles(); ++role) {
        const std::vector<int> goals = cursor.goals(role);
        for (const DomainTheory::Goal& goal : theory.goals(role)) {
          const bool is_goal = std::count(goals.begin(), goals.end(), goal.value) > 0;
          ASSERT_EQ(LogicNetwork::output(goal.condition, outputs) > 0, is_goal);
        }
      }
    }
    if (!walk.advance()) walk.restart();
  }
}

TEST(LogicNetwork, GoalsOfShippedGamesAreCorrect) {
  for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough", "othello", "checkers",
                           "chinese_checkers_3", "sheep_and_wolf", "queens", "goofspiel"}) {
    SCOPED_TRACE(name);
    expect_correct_goals(testing::shipped(name));
  }
}

TEST(LogicNetwork, GoalsOfRandomGamesAreCorrect) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    expect_correct_goals(testing::from_text(testing::random_game(seed)));
  }
}

TEST(DomainTheory, FoldsConstantsAndEqualRules) {
  DomainTheory theory(3);
  const Condition always{Condition::Kind::always, {}}, never{Condition::Kind::never, {}};
  const Condition a[] = {input(0), input(1)}, b[] = {input(1), always, input(0), input(0)};
  EXPECT_EQ(theory.add(Operator::all, a).literal.node, theory.add(Operator::all, b).literal.node);
  EXPECT_EQ(theory.rules().size(), 1u);
  const Condition contradiction[] = {input(0), negation_of(input(0))};
  EXPECT_EQ(theory.add(Operator::all, contradiction).kind, Condition::Kind::never);
  EXPECT_EQ(theory.add(Operator::any, contradiction).kind, Condition::Kind::always);
  const Condition single[] = {negation_of(input(2)), never};
  EXPECT_EQ(theory.add(Operator::any, single).literal, (DomainTheory::Literal{2, true}));
  EXPECT_EQ(theory.add(Operator::any, {}).kind, Condition::Kind::never);
  EXPECT_EQ(theory.add(Operator::all, {}).kind, Condition::Kind::always);
}

TEST(DomainTheory, PartsOfAGoalMeanTheSame) {
  const auto machine = testing::shipped("tic_tac_toe");
  const DomainTheory theory(machine->game());
  const DomainTheory::Goal& goal = theory.goals(0).back();
  const DomainTheory part = theory.only(goal);
  EXPECT_LT(part.rules().size(), theory.rules().size());
  std::vector<bool> holds(theory.nodes()), of_part(part.nodes());
  base::Random random(1);
  for (int round = 0; round < 200; ++round) {
    std::map<ground::Atom, bool> value;
    for (DomainTheory::Node i = 0; i < theory.inputs(); ++i) {
      value[theory.atom(i)] = holds[i] = random.below(2) == 0;
    }
    for (DomainTheory::Node i = 0; i < part.inputs(); ++i) of_part[i] = value[part.atom(i)];
    theory.derive(holds);
    part.derive(of_part);
    const DomainTheory::Literal whole = goal.condition.literal,
                                alone = part.goals(0)[0].condition.literal;
    EXPECT_EQ(holds[whole.node] != whole.negated, of_part[alone.node] != alone.negated);
  }
}

}  // namespace
}  // namespace zermelo::eval::network

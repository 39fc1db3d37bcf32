// Planes and programs over 64 states, compared with one state at a time.
#include "eval/fuzzy_program.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/random_walk.h"
#include "analysis/rule_evaluator.h"
#include "eval/plane_rules.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::eval {
namespace {

using testing::MachinePointer;

std::vector<machine::State> random_states(const MachinePointer& machine, std::size_t count,
                                          std::uint64_t seed) {
  analysis::RandomWalk walk(machine, {.seed = seed});
  std::vector<machine::State> states;
  while (states.size() < count) {
    states.push_back(walk.state());
    if (!walk.advance()) walk.restart();
  }
  return states;
}

TEST(BitPlanes, HaveTheBitsOfTheStates) {
  const MachinePointer machine = testing::shipped("breakthrough");
  for (const std::size_t count : {1u, 3u, 5u, 63u, 64u}) {
    const auto states = random_states(machine, count, count);
    BitPlanes planes;
    planes.load(states, machine->game().fluents.size());
    for (std::size_t f = 0; f < machine->game().fluents.size(); ++f) {
      for (std::size_t s = 0; s < 64; ++s) {
        EXPECT_EQ(planes[f] >> s & 1, s < count && states[s].test(f) ? 1u : 0u);
      }
    }
  }
}

// All derived atoms that depend on the state only, against an evaluation one by one.
TEST(PlaneRules, AgreeWithTheRuleEvaluator) {
  std::size_t recursive = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::random_game(seed));
    const ground::Game& game = machine->game();
    recursive += game.recursive.size();
    std::vector<ground::Atom> roots;
    for (ground::Atom a = game.first_derived; a < game.first_after_does; ++a) roots.push_back(a);
    std::vector<Plane> plane_of;
    for (Plane f = 0; f < game.fluents.size(); ++f) plane_of.push_back(f);
    const PlaneRules rules(game, roots, plane_of, static_cast<Plane>(plane_of.size()));
    const analysis::RuleEvaluator slow(game, roots, [](ground::Atom) { return false; });
    const auto states = random_states(machine, 50, seed);
    BitPlanes planes;
    planes.load(states, rules.planes());
    rules.derive(planes);
    for (std::size_t s = 0; s < states.size(); ++s) {
      analysis::AtomBounds bounds(game.atoms);
      states[s].for_each([&](std::size_t f) { bounds.set(static_cast<ground::Atom>(f), true); });
      slow.derive(bounds);
      for (const ground::Atom root : roots) {
        ASSERT_EQ(planes[rules.plane(root)] >> s & 1, bounds.surely[root] ? 1u : 0u);
      }
    }
  }
  EXPECT_GT(recursive, 0u);
}

// Leaves of every kind over random planes.
class RandomPlanes {
 public:
  explicit RandomPlanes(std::uint64_t seed) : random_(seed) {
    states_.assign(40, machine::State(planes));
    for (machine::State& state : states_) {
      for (std::size_t p = 0; p < planes; ++p) {
        if (random_.below(4) == 0) state.set(p);
      }
    }
    planes_.load(states_, planes);
  }

  std::vector<float> evaluate(const FuzzyProgram& program, FuzzyProgram::Node node) const {
    std::vector<float> degrees;
    program.evaluate(planes_, degrees);
    const auto first = degrees.begin() + node * static_cast<std::ptrdiff_t>(states_per_block);
    return {first, first + static_cast<std::ptrdiff_t>(states_.size())};
  }

  static constexpr std::size_t planes = 700;
  base::Random random_;
  std::vector<machine::State> states_;
  BitPlanes planes_;
};

TEST(FuzzyProgram, LevelsAreTheLargestValueThatHolds) {
  RandomPlanes planes(1);
  std::vector<std::pair<Plane, float>> values, others;
  for (Plane p = 0; p < 30; ++p) {
    values.emplace_back(p, static_cast<float>(planes.random_.below(10)) / 10);
    others.emplace_back(p, static_cast<float>(planes.random_.below(10)) / 10);
  }
  FuzzyProgram program({});
  const auto node = program.add_levels(
      {make_level_table(values, 0.15f), make_level_table(others, 0.05f)}, {"leaf", "levels"});
  const std::vector<float> degrees = planes.evaluate(program, node);
  for (std::size_t s = 0; s < planes.states_.size(); ++s) {
    float a = 0.15f, b = 0.05f;
    planes.states_[s].for_each([&](std::size_t p) {
      if (p < 30) a = std::max(a, values[p].second), b = std::max(b, others[p].second);
    });
    EXPECT_EQ(degrees[s], std::min(a, b));
  }
}

TEST(FuzzyProgram, ManyLevelsAreRoundedDown) {
  RandomPlanes planes(2);
  std::vector<std::pair<Plane, float>> values;
  for (Plane p = 0; p < 600; ++p) values.emplace_back(p, static_cast<float>(p + 1) / 600);
  FuzzyProgram program({});
  const auto node = program.add_levels({make_level_table(values, 0)}, {"leaf", "levels"});
  const std::vector<float> degrees = planes.evaluate(program, node);
  for (std::size_t s = 0; s < planes.states_.size(); ++s) {
    float largest = 0;
    planes.states_[s].for_each([&](std::size_t p) {
      if (p < 600) largest = std::max(largest, values[p].second);
    });
    EXPECT_LE(degrees[s], largest);
    EXPECT_GT(degrees[s], largest - 0.01f);
  }
}

TEST(FuzzyProgram, CountsSumsAndPairs) {
  RandomPlanes planes(3);
  std::vector<Plane> counted;
  std::vector<float> by_count;
  for (Plane p = 0; p < RandomPlanes::planes; ++p) counted.push_back(p);
  for (std::size_t n = 0; n <= counted.size(); ++n) by_count.push_back(static_cast<float>(n));
  FuzzyProgram program({});
  const auto count = program.add_count(counted, by_count, {"count", "count"});
  const auto sum = program.add_sum(0.2f, {{0, 0.1f}, {1, 0.2f}, {2, -0.3f}}, {"sum", "sum"});
  const auto pairs = program.add_pairs({0, 1}, {2, 3}, {0.1f, 0.4f, 0.2f, 0.3f}, {"pair", "pair"});
  const auto counts = planes.evaluate(program, count), sums = planes.evaluate(program, sum),
             of_pairs = planes.evaluate(program, pairs);
  for (std::size_t s = 0; s < planes.states_.size(); ++s) {
    const machine::State& state = planes.states_[s];
    const auto bit = [&](std::size_t p) { return state.test(p) ? 1.0f : 0.0f; };
    EXPECT_EQ(counts[s], static_cast<float>(state.count()));
    EXPECT_NEAR(sums[s], std::max(0.0f, 0.2f + 0.1f * bit(0) + 0.2f * bit(1) - 0.3f * bit(2)),
                1e-6);
    EXPECT_EQ(of_pairs[s], std::max({bit(0) * bit(2) * 0.1f, bit(0) * bit(3) * 0.4f,
                                     bit(1) * bit(2) * 0.2f, bit(1) * bit(3) * 0.3f}));
  }
}

TEST(FuzzyProgram, ConnectivesOfBothLogics) {
  for (const auto norm : {FuzzyLogic::Norm::product, FuzzyLogic::Norm::yager}) {
    const FuzzyLogic logic{norm, 3};
    FuzzyProgram program(logic);
    std::vector<FuzzyProgram::Node> leaves;
    std::vector<float> degrees;
    for (const float degree : {0.9f, 0.7f, 0.2f}) {
      leaves.push_back(program.add_constant(degree, {"leaf", "constant"}));
      degrees.push_back(degree);
    }
    const auto all = program.add(FuzzyProgram::Connective::all, leaves, {"and", "all"});
    const auto any = program.add(FuzzyProgram::Connective::any, leaves, {"or", "any"});
    const auto none = program.add(FuzzyProgram::Connective::negation, {any}, {"not", "negation"});
    const RandomPlanes planes(4);
    EXPECT_NEAR(planes.evaluate(program, all)[0], logic.all_of(degrees), 1e-6);
    EXPECT_NEAR(planes.evaluate(program, any)[0], logic.any_of(degrees), 1e-6);
    EXPECT_NEAR(planes.evaluate(program, none)[0], 1 - logic.any_of(degrees), 1e-6);
  }
}

// The norms of the literature, by hand.
TEST(FuzzyLogic, ProductAndYager) {
  const float degrees[] = {0.9f, 0.5f};
  EXPECT_NEAR(FuzzyLogic().all_of(degrees), 0.45, 1e-6);
  EXPECT_NEAR(FuzzyLogic().any_of(degrees), 0.95, 1e-6);
  const FuzzyLogic lukasiewicz{FuzzyLogic::Norm::yager, 1};  // Yager's family at p = 1
  EXPECT_NEAR(lukasiewicz.all_of(degrees), 0.4, 1e-6);
  EXPECT_NEAR(lukasiewicz.any_of(degrees), 1, 1e-6);
  const FuzzyLogic yager{FuzzyLogic::Norm::yager, 2};
  EXPECT_NEAR(yager.all_of(degrees), 1 - std::sqrt(0.01 + 0.25), 1e-6);
  EXPECT_NEAR(yager.any_of(std::vector<float>{0.6f, 0.3f}), std::sqrt(0.36 + 0.09), 1e-6);
  EXPECT_EQ(yager.all_of(std::vector<float>{0.1f, 0.1f}), 0);
}

TEST(FuzzyLogic, TheGeneralizedOrIsADisjunction) {
  for (const auto norm : {FuzzyLogic::Norm::product, FuzzyLogic::Norm::yager}) {
    const FuzzyLogic logic{norm, 4};
    const std::vector<float> by_count = logic.generalized_or(4);
    ASSERT_EQ(by_count.size(), 5u);
    EXPECT_NEAR(by_count[0], logic.any_of(std::vector<float>(4, logic.fails)), 1e-6);
    EXPECT_NEAR(by_count[2], logic.any_of(std::vector<float>{0.9f, 0.9f, 0.1f, 0.1f}), 1e-6);
  }
}

}  // namespace
}  // namespace zermelo::eval

#include "dd/diagram.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dd/count.h"
#include "dd/every_question.h"
#include "dd/random_diagrams.h"

namespace zermelo::dd {
namespace {

TEST(Diagram, ConstantsAreTheSameEverywhere) {
  const Diagram three = Diagram::constant({2, 1000, 3}, 5, 3);
  EXPECT_EQ(three.evaluate({1, 999, 2}), 3u);
  EXPECT_EQ(three.nodes(), 0u);
  EXPECT_EQ(three.count(3), 6000);
  EXPECT_EQ(three.count(0), 0);
  EXPECT_EQ(three, Diagram::constant({2, 1000, 3}, 5, 3));
  EXPECT_FALSE(three == Diagram::constant({2, 1000, 3}, 5, 2));
  EXPECT_FALSE(three == Diagram::constant({2, 1000, 2}, 5, 3));
}

TEST(Diagram, NoVariables) {
  const Diagram one = Diagram::constant({}, 2, 1);
  EXPECT_EQ(one.evaluate(std::vector<Value>{}), 1u);
  EXPECT_EQ(one.count(1), 1);
  EXPECT_EQ(one.pick(1), std::vector<Value>{});
  EXPECT_EQ(one.pick(0), std::nullopt);
}

TEST(Diagram, AgreesWithTheTableItWasMadeFrom) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    base::Random random(seed);
    const Domains domains = random_domains(random, 1 + random.below(5), 5);
    const NodeId constants = 2 + random.below(4);
    const auto table = random_table(random, domains, constants, 1 + random.below(10));
    const Diagram diagram = diagram_of(domains, constants, table);
    EXPECT_EQ(table_of(diagram), table);
    for (NodeId c = 0; c < constants; ++c) {
      EXPECT_EQ(diagram.count(c), std::count(table.begin(), table.end(), c));
    }
  }
}

TEST(Diagram, EnumeratesInOrderAndStopsOnRequest) {
  base::Random random(7);
  const Domains domains = {3, 2, 4, 3};
  const auto table = random_table(random, domains, 3, 6);
  const Diagram diagram = diagram_of(domains, 3, table);
  const auto assignments = all_assignments(domains);
  for (NodeId c = 0; c < 3; ++c) {
    std::vector<std::vector<Value>> expected, found;
    for (std::size_t a = 0; a < table.size(); ++a) {
      if (table[a] == c) expected.push_back(assignments[a]);
    }
    diagram.enumerate(c, [&](std::span<const Value> assignment) {
      found.emplace_back(assignment.begin(), assignment.end());
      return true;
    });
    EXPECT_EQ(found, expected);
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(diagram.pick(c), expected[0]);
    std::size_t calls = 0;
    diagram.enumerate(c, [&](std::span<const Value>) { return ++calls < 2; });
    EXPECT_EQ(calls, std::min<std::size_t>(2, expected.size()));
  }
}

TEST(Diagram, CountsBeyondMachineWords) {
  for (const std::size_t variables : {20u, 40u, 60u, 200u}) {
    const Domains domains(variables, 7);
    Conditions conditions(domains);
    const Diagram set = conditions.diagram(conditions.literal(variables / 2, {0, 3}));
    mpz_class expected = 2;
    for (std::size_t i = 1; i < variables; ++i) expected *= 7;
    EXPECT_EQ(set.count(1), expected);
    EXPECT_EQ(set.count(0), expected / 2 * 5);
  }
}

// Three constants: whether the halves of an assignment are equal, and whether the last variable is
// 0.
Diagram equal_halves(std::size_t half) {
  const Domains domains(2 * half + 1, 2);
  Conditions conditions(domains);
  std::vector<Diagram> operands;
  for (std::size_t v = 0; v < half; ++v) {
    const auto partner = [&](Value value) { return conditions.literal(v + half, {value}); };
    operands.push_back(conditions.diagram(
        *conditions.if_then_else(conditions.literal(v, {0}), partner(0), partner(1))));
  }
  const Diagram equal = *intersection_of(operands);
  const Diagram last = conditions.diagram(conditions.literal(2 * half, {1}));
  const auto value = [](std::span<const NodeId> c) { return c[0] == 0 ? 0 : 1 + c[1]; };
  return *combine({equal, last}, {4, value});
}

TEST(Diagram, CountsDoNotDependOnThreads) {
  const Diagram classes = equal_halves(16);
  ASSERT_GT(classes.ids(), 1u << 16);
  for (const unsigned threads : {1u, 3u}) {
    Options options;
    options.threads = threads;
    const auto counts = classes.counts(options);
    ASSERT_TRUE(counts);
    EXPECT_EQ(*counts,
              (std::vector<mpz_class>{(mpz_class(1) << 33) - (1 << 17), 1 << 16, 1 << 16, 0}));
    const auto reached = reaches(classes, {false, false, true, false}, options);
    ASSERT_TRUE(reached);
    EXPECT_EQ(*reached, *reaches(classes, {false, false, true, false}));
    const auto members = count_members(classes, options);
    ASSERT_TRUE(members && *members);
    EXPECT_EQ((*members)->below(0, classes.root()), 1u << 17);
  }
}

// With numbers of one machine word, of two, and of more. There is a node at every level.
TEST(Diagram, CountingStopsAtEveryLimitCheck) {
  for (const std::size_t variables : {11u, 81u, 141u}) {
    Conditions conditions(Domains(variables, 2));
    Conditions::Id ones = Conditions::always;
    for (std::size_t v = variables; v-- > 0;) {
      ones = *conditions.both(conditions.literal(v, {1}), ones);
    }
    const Diagram set = conditions.diagram(ones);
    const auto counts = through_every_question(
        {}, variables, [&](const Options& options) { return set.counts(options); });
    ASSERT_TRUE(counts);
    EXPECT_EQ((*counts)[1], 1);
    const auto members = through_every_question(
        {}, variables, [&](const Options& options) { return count_members(set, options); });
    ASSERT_TRUE(members && *members);
    EXPECT_EQ((*members)->below(0, set.root()), 1u);
    const auto many = through_every_question(
        {}, variables, [&](const Options& options) { return count_many_members(set, options); });
    ASSERT_TRUE(many);
    EXPECT_EQ(many->below(0, set.root()), 1);
    EXPECT_EQ(many->below(0, 1), mpz_class(1) << variables);
    const auto reached = through_every_question({}, variables, [&](const Options& options) {
      return reaches(set, {false, true}, options);
    });
    ASSERT_TRUE(reached);
    EXPECT_EQ(std::count(reached->begin(), reached->end(), 1), 1 + variables);
  }
}

TEST(Diagram, CountingRespectsTheMemoryLimit) {
  const Diagram classes = equal_halves(10);
  Options options;
  options.limits = base::Limits(std::nullopt, base::resident_bytes() / 2);
  const auto counts = classes.counts(options);
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().kind, base::ErrorKind::memory_limit);
  const auto members = count_members(classes, options);
  ASSERT_FALSE(members);
  EXPECT_EQ(members.error().kind, base::ErrorKind::memory_limit);
  const auto reached = reaches(classes, {false, true, false, false}, options);
  ASSERT_FALSE(reached);
  EXPECT_EQ(reached.error().kind, base::ErrorKind::memory_limit);
}

TEST(Diagram, EqualityDoesNotDependOnTheOrderOfRows) {
  const Diagram a({2, 2}, 2, {{4, {2, 3}}, {2, {0, 1, 1, 0}}}, 4);
  const Diagram b({2, 2}, 2, {{4, {3, 2}}, {2, {1, 0, 0, 1}}}, 4);
  const Diagram c({2, 2}, 2, {{4, {2, 3}}, {2, {1, 0, 0, 1}}}, 4);
  EXPECT_EQ(a, b);
  EXPECT_FALSE(identical(a, b));
  EXPECT_FALSE(a == c);
}

TEST(Diagram, DotShowsEveryNodeButNoEdgesToZero) {
  const Diagram a({2, 3}, 2, {{3, {0, 2}}, {2, {0, 1, 0}}}, 3);
  EXPECT_EQ(a.dot(),
            "digraph {\n"
            "  n1 [shape=box,label=\"1\"];\n"
            "  n3 [label=\"x0\"];\n"
            "  n3 -> n2 [label=\"1\"];\n"
            "  n2 [label=\"x1\"];\n"
            "  n2 -> n1 [label=\"1\"];\n"
            "}\n");
}

}  // namespace
}  // namespace zermelo::dd

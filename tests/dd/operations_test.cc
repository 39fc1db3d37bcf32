#include "dd/operations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "dd/every_question.h"
#include "dd/random_diagrams.h"

namespace zermelo::dd {
namespace {

template <class T>
T ok(base::Result<T> result) {
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return std::move(*result);
}

Options all_in_files() { return with_scratch({}, 0, std::filesystem::temp_directory_path()); }

// The result of an operation must be the reduced diagram of the expected table.
void expect_table(const Diagram& diagram, const std::vector<NodeId>& expected) {
  EXPECT_EQ(table_of(diagram), expected);
  EXPECT_EQ(diagram, diagram_of(diagram.domains(), diagram.constants(), expected));
}

class RandomOperations : public ::testing::TestWithParam<unsigned> {
 protected:
  RandomOperations() : random_(GetParam()) {
    domains_ = random_domains(random_, 1 + random_.below(5), 5);
    for (auto* table : {&a_, &b_, &c_}) {
      *table = random_table(random_, domains_, 3, 1 + random_.below(8));
    }
  }
  Diagram of(const std::vector<NodeId>& table) const { return diagram_of(domains_, 3, table); }
  template <class F>
  std::vector<NodeId> by_table(F f) const {
    std::vector<NodeId> result;
    for (std::size_t i = 0; i < a_.size(); ++i) result.push_back(f(a_[i], b_[i], c_[i]));
    return result;
  }

  base::Random random_;
  Domains domains_;
  std::vector<NodeId> a_, b_, c_;
};

TEST_P(RandomOperations, Sets) {
  const Diagram a = of(a_), b = of(b_), c = of(c_);
  expect_table(ok(union_of({a, b, c})),
               by_table([](auto x, auto y, auto z) { return NodeId{x || y || z}; }));
  expect_table(ok(intersection_of({a, b, c})),
               by_table([](auto x, auto y, auto z) { return NodeId{x && y && z}; }));
  expect_table(ok(difference(a, b)),
               by_table([](auto x, auto y, auto) { return NodeId{x && !y}; }));
  expect_table(ok(complement(a)), by_table([](auto x, auto, auto) { return NodeId{!x}; }));
}

TEST_P(RandomOperations, Intersect) {
  const Diagram a = of(a_), b = of(b_), none = Diagram::constant(domains_, 2, 0);
  const auto both = by_table([](auto x, auto y, auto) { return NodeId{x && y}; });
  const bool expected = std::count(both.begin(), both.end(), 1) > 0;
  EXPECT_EQ(ok(intersect(a, b)), expected);
  EXPECT_EQ(intersect_within(a, b, 1'000'000), expected);
  EXPECT_EQ(ok(intersect(a, b, all_in_files())), expected);
  EXPECT_FALSE(ok(intersect(a, ok(complement(a)))));
  EXPECT_FALSE(ok(intersect(a, ok(complement(a)), all_in_files())));
  EXPECT_FALSE(ok(intersect(a, none)));
  EXPECT_EQ(ok(intersect(a, ok(complement(none)))), a.root() != 0);
}

TEST_P(RandomOperations, Combinations) {
  const auto sum = [](std::span<const NodeId> v) { return (v[0] + 2 * v[1] + v[2]) % 7; };
  expect_table(ok(combine({of(a_), of(b_), of(c_)}, {7, sum})),
               by_table([](auto x, auto y, auto z) { return (x + 2 * y + z) % 7; }));
  expect_table(ok(relabel(of(a_), {4, 1, 1}, 5)),
               by_table([](auto x, auto, auto) { return x == 0 ? 4u : 1u; }));
}

TEST_P(RandomOperations, InjectiveRelabelling) {
  const Diagram a = of(a_), relabelled = ok(relabel(a, {3, 0, 5}, 6));
  expect_table(relabelled, by_table([](auto x, auto, auto) { return std::array{3u, 0u, 5u}[x]; }));
  EXPECT_EQ(relabelled.nodes(), a.nodes());
  EXPECT_EQ(ok(relabel(relabelled, {1, 0, 0, 0, 0, 2}, 3)), ok(relabel(a, {0, 1, 2}, 3)));
}

TEST_P(RandomOperations, RestrictionAndProjection) {
  const Diagram a = of(a_);
  const std::size_t variable = random_.below(static_cast<std::uint32_t>(domains_.size()));
  const Value value = random_.below(domains_[variable]);
  std::vector<NodeId> restricted, projected;
  for (auto assignment : all_assignments(domains_)) {
    NodeId most = 0;
    for (assignment[variable] = 0; assignment[variable] < domains_[variable];
         ++assignment[variable]) {
      most = std::max(most, a.evaluate(assignment));
    }
    projected.push_back(most);
    assignment[variable] = value;
    restricted.push_back(a.evaluate(assignment));
  }
  expect_table(ok(restrict(a, {{variable, value}})), restricted);
  expect_table(ok(project(a, {variable})), projected);
}

TEST_P(RandomOperations, ProjectionOfEverythingIsTheLargest) {
  std::vector<std::size_t> all(domains_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  EXPECT_EQ(ok(project(of(a_), all)),
            Diagram::constant(domains_, 3, *std::max_element(a_.begin(), a_.end())));
}

TEST_P(RandomOperations, SimplificationAgreesOnTheCareSetAndIsNoLarger) {
  const Diagram a = ok(relabel(of(a_), {1, 2, 1}, 3)), care = of(b_);
  const Diagram simple = ok(simplify(a, care));
  const auto values = table_of(a), simplified = table_of(simple);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (b_[i] != 0) {
      EXPECT_EQ(simplified[i], values[i]);
    }
  }
  const Diagram exact =
      ok(combine({a, care}, {3, [](std::span<const NodeId> v) { return v[1] == 0 ? 0 : v[0]; }}));
  EXPECT_LE(simple.nodes(), exact.nodes());
}

TEST_P(RandomOperations, Laws) {
  const Diagram a = ok(relabel(of(a_), {0, 1, 1}, 2)), b = of(b_), c = of(c_);
  EXPECT_EQ(ok(union_of({a, b})), ok(union_of({b, a})));
  EXPECT_EQ(ok(complement(ok(complement(a)))), a);
  EXPECT_EQ(ok(complement(ok(union_of({a, b})))),
            ok(intersection_of({ok(complement(a)), ok(complement(b))})));
  EXPECT_EQ(ok(intersection_of({a, ok(union_of({b, c}))})),
            ok(union_of({ok(intersection_of({a, b})), ok(intersection_of({a, c}))})));
  EXPECT_EQ(ok(union_of({ok(difference(a, b)), ok(intersection_of({a, b}))})), a);
  EXPECT_EQ(ok(difference(a, a)), Diagram::constant(domains_, 2, 0));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomOperations, ::testing::Range(0u, 20u));

TEST(Operations, WideDomains) {
  const Domains domains = {1000, 2, 1500};
  Conditions conditions(domains);
  const Diagram a = conditions.diagram(conditions.literal(0, {3, 999}));
  const Diagram b = conditions.diagram(conditions.literal(2, {1499, 0, 7}));
  const Diagram both = ok(intersection_of({a, b}));
  EXPECT_EQ(both.count(1), 2 * 2 * 3);
  EXPECT_EQ(both.evaluate({999, 1, 1499}), 1u);
  EXPECT_EQ(both.nodes(), 2u);
  EXPECT_EQ(ok(project(both, {0})), b);
}

// The first half of an assignment determines the second half: its values are the same, or the next
// ones. So these sets are disjoint, with 2,187 pairs of nodes at a level.
class SetsOfManyPairs : public ::testing::Test {
 protected:
  static constexpr std::size_t half = 7, max_pairs = 2'187;

  Diagram shifted(Value by) const {
    Conditions conditions(Domains(2 * half, 3));
    Conditions::Id all = Conditions::always;
    for (std::size_t v = 0; v < half; ++v) {
      Conditions::Id pair = Conditions::never;
      for (const Value value : {0u, 1u, 2u}) {
        const Value other = (value + by) % 3;
        pair =
            ok(conditions.either(pair, ok(conditions.both(conditions.literal(v, {value}),
                                                          conditions.literal(v + half, {other})))));
      }
      all = ok(conditions.both(all, pair));
    }
    return conditions.diagram(all);
  }

  const Diagram a_ = shifted(0), b_ = shifted(1);
};

TEST_F(SetsOfManyPairs, IntersectWithinABound) {
  EXPECT_FALSE(ok(intersect(a_, b_)));
  EXPECT_EQ(intersect_within(a_, b_, max_pairs - 1), std::nullopt);
  EXPECT_EQ(intersect_within(a_, b_, max_pairs), false);
}

TEST_F(SetsOfManyPairs, IntersectThroughFilesBeyondTheMemoryOfAFrontier) {
  Options options = all_in_files();
  for (const std::size_t bytes_per_pair : {0u, 16u, 1024u}) {
    options.frontier_in_memory = max_pairs * bytes_per_pair;
    EXPECT_FALSE(ok(intersect(a_, b_, options)));
    EXPECT_TRUE(ok(intersect(a_, a_, options)));
  }
  options.scratch_folder = "/proc/no such folder";
  EXPECT_FALSE(ok(intersect(a_, b_, options)));
  options.frontier_in_memory = 0;
  const auto nowhere = intersect(a_, b_, options);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().kind, base::ErrorKind::memory_limit);
}

TEST_F(SetsOfManyPairs, IntersectRespectsLimits) {
  for (const Options& options : {Options{}, all_in_files()}) {
    const auto met = through_every_question(
        options, half, [&](const Options& limited) { return intersect(a_, b_, limited); });
    EXPECT_FALSE(ok(met));
  }
}

TEST(Conditions, AgreeWithTheirMeaning) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    base::Random random(seed);
    const Domains domains = random_domains(random, 4, 4);
    Conditions conditions(domains);
    std::vector<Conditions::Id> ids;
    std::vector<std::vector<bool>> tables;
    const auto assignments = all_assignments(domains);
    for (std::size_t v = 0; v < domains.size(); ++v) {
      const Value value = random.below(domains[v]);
      ids.push_back(conditions.literal(v, {value}));
      tables.emplace_back();
      for (const auto& assignment : assignments) tables.back().push_back(assignment[v] == value);
    }
    for (unsigned step = 0; step < 20; ++step) {
      const auto any = [&] { return random.below(static_cast<std::uint32_t>(ids.size())); };
      const std::size_t x = any(), y = any(), z = any();
      ids.push_back(ok(conditions.if_then_else(ids[x], ids[y], ids[z])));
      tables.emplace_back();
      for (std::size_t i = 0; i < assignments.size(); ++i) {
        tables.back().push_back(tables[x][i] ? tables[y][i] : tables[z][i]);
      }
      const Diagram diagram = conditions.diagram(ids.back());
      const std::vector<NodeId> expected(tables.back().begin(), tables.back().end());
      expect_table(diagram, expected);
      EXPECT_EQ(conditions.size(ids.back()), diagram.nodes());
    }
  }
}

// Pairs of variables that lie far apart: the diagram of all together doubles with each pair.
TEST(Conditions, ListsStaySmallAndMeanTheSame) {
  constexpr std::size_t pairs = 12;
  const Domains domains(2 * pairs, 3);
  Conditions conditions(domains);
  std::vector<Conditions::Id> equal;
  std::vector<Diagram> apart;
  for (std::size_t v = 0; v < pairs; ++v) {
    equal.push_back(
        ok(conditions.both(conditions.literal(v, {1}), conditions.literal(v + pairs, {2}))));
    apart.push_back(conditions.diagram(equal.back()));
  }
  const auto list = ok(conditions.disjunction(equal));
  EXPECT_GT(list.size(), 1u);
  EXPECT_LT(list.size(), pairs);
  std::vector<Diagram> parts;
  for (const auto id : list) {
    EXPECT_LE(conditions.size(id), 200u);
    parts.push_back(conditions.diagram(id));
  }
  EXPECT_EQ(ok(union_of(parts)), ok(union_of(apart)));
  EXPECT_EQ(ok(conditions.conjunction(equal)).size(), 1u);
  EXPECT_EQ(ok(conditions.conjunction({})), std::vector{Conditions::always});
  EXPECT_EQ(ok(conditions.disjunction({})), std::vector{Conditions::never});
}

// Discarded conditions can be rebuilt, and earlier ones stay valid.
TEST(Conditions, DiscardedConditionsCanBeRebuilt) {
  constexpr std::size_t pairs = 8;
  Conditions conditions(Domains(2 * pairs, 2));
  const auto pair = [&](std::size_t v) {
    return ok(conditions.both(conditions.literal(v, {1}), conditions.literal(v + pairs, {1})));
  };
  std::vector<Conditions::Id> all;
  for (std::size_t v = 0; v < pairs; ++v) all.push_back(pair(v));
  const auto any = [&] {
    Conditions::Id result = Conditions::never;
    for (const auto id : all) result = ok(conditions.either(result, id));
    return result;
  };
  const std::size_t before = conditions.table_size();
  const Diagram expected = conditions.diagram(any());
  const std::size_t after = conditions.table_size();
  ASSERT_GT(after, before);
  conditions.forget_after(before);
  EXPECT_EQ(conditions.table_size(), before);
  for (std::size_t v = 0; v < pairs; ++v) EXPECT_EQ(pair(v), all[v]);
  EXPECT_EQ(conditions.table_size(), before);
  EXPECT_EQ(conditions.diagram(any()), expected);
  EXPECT_EQ(conditions.table_size(), after);
}

TEST(Conditions, EitherWithinRespectsItsLimit) {
  constexpr std::size_t pairs = 8;
  Conditions conditions(Domains(2 * pairs, 2));
  const auto pair = [&](std::size_t v) {
    return ok(conditions.both(conditions.literal(v, {1}), conditions.literal(v + pairs, {1})));
  };
  Conditions::Id any = pair(0);
  for (std::size_t v = 1; v + 1 < pairs; ++v) any = ok(conditions.either(any, pair(v)));
  const auto last = pair(pairs - 1);
  EXPECT_EQ(ok(conditions.either_within(any, last, 8)), std::nullopt);
  const auto joined = ok(conditions.either_within(any, last, 10'000));
  EXPECT_EQ(joined, ok(conditions.either(any, last)));
}

TEST(Conditions, AllowMoreLowersTheLimit) {
  Conditions conditions(Domains(4, 2), 1000);
  const auto a = ok(conditions.both(conditions.literal(0, {1}), conditions.literal(2, {1})));
  const auto b = ok(conditions.both(conditions.literal(1, {1}), conditions.literal(3, {1})));
  conditions.allow_more(100'000);
  EXPECT_TRUE(conditions.either(a, b));
  conditions.allow_more(0);
  const auto c = conditions.literal(2, {0});
  EXPECT_FALSE(conditions.either(a, c));
}

TEST(Conditions, TooManyNodesAreAnError) {
  const Domains domains(40, 2);
  Conditions conditions(domains, 1000);
  base::Result<Conditions::Id> result = Conditions::never;
  for (std::size_t v = 0; v < 20 && result; ++v) {
    const auto pair = conditions.both(conditions.literal(v, {1}), conditions.literal(v + 20, {1}));
    result = conditions.either(*result, ok(pair));
  }
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::memory_limit);
}

}  // namespace
}  // namespace zermelo::dd

// Orders found for games whose good orders are known.
#include "symbolic/variable_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "families/families.h"
#include "ground/ground.h"
#include "support/load.h"
#include "symbolic/model.h"
#include "symbolic/variable_order_candidates.h"
#include "symbolic/variable_order_problem.h"

namespace zermelo::symbolic {
namespace {

struct Ordered {
  std::shared_ptr<const machine::Machine> machine;
  Encoding encoding;
  OrderProblem problem;
  VariableOrder order;
};

Ordered ordered(const std::string& rules) {
  auto game = ground::ground(testing::rulesheet(rules)).value();
  auto machine = std::make_shared<const machine::Machine>(std::move(game));
  Encoding encoding = find_encoding(machine);
  OrderProblem problem = order_problem(machine->game(), encoding);
  VariableOrder order = choose_order(problem);
  return {machine, std::move(encoding), std::move(problem), std::move(order)};
}

Ordered ordered(const std::string& family, const std::vector<std::string>& sizes) {
  return ordered(families::generate(family, sizes).value());
}

bool is_permutation_of_all(const Order& order, std::size_t variables) {
  Order sorted = order, all(variables);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  return sorted == all;
}

// The columns of the cells from the top level down, each once while they stay together.
std::vector<std::size_t> columns_of(const Ordered& found) {
  std::vector<std::size_t> columns;
  for (const std::size_t variable : found.order.variables) {
    const auto& arguments = found.problem.variables[variable].arguments;
    if (arguments.size() != 2) continue;
    if (columns.empty() || columns.back() != arguments[0]) columns.push_back(arguments[0]);
  }
  return columns;
}

TEST(Order, ConnectFourByColumnsFromTheCentre) {
  const Ordered found = ordered("connect-four", {"5", "5"});
  EXPECT_TRUE(is_permutation_of_all(found.order.variables, found.encoding.variables().size()));
  EXPECT_EQ(columns_of(found), (std::vector<std::size_t>{2, 3, 1, 4, 0})) << found.order.origin;
}

// Where the goals tell columns from left to right to be better, but for an exchange at the edge.
TEST(Order, AWideConnectFourByColumnsFromLeftToRight) {
  const Ordered found = ordered("connect-four", {"7", "4"});
  const std::vector<std::size_t> columns = columns_of(found);
  ASSERT_EQ(columns.size(), 7u) << found.order.origin;
  EXPECT_TRUE(std::is_sorted(columns.begin() + 2, columns.end())) << found.order.origin;
}

// Two rows of three switches and a clock of three steps.
std::string two_rows(const std::string& outcomes) {
  return outcomes + R"(
    (role robot) (init (step 1)) (value 0) (value 1) (column 1) (column 2) (column 3)
    (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
    (<= (init (p ?c 0)) (column ?c)) (<= (init (q ?c 0)) (column ?c))
    (<= (legal robot (p ?c ?v)) (column ?c) (value ?v))
    (<= (legal robot (q ?c ?v)) (column ?c) (value ?v))
    (<= (next (p ?c ?v)) (does robot (p ?c ?v)))
    (<= (next (p ?c ?v)) (true (p ?c ?v)) (not (p_set ?c)))
    (<= (next (q ?c ?v)) (does robot (q ?c ?v)))
    (<= (next (q ?c ?v)) (true (q ?c ?v)) (not (q_set ?c)))
    (<= (p_set ?c) (does robot (p ?c ?v)))
    (<= (q_set ?c) (does robot (q ?c ?v)))
    (<= differ (true (p ?c ?v)) (true (q ?c ?w)) (distinct ?v ?w))
    (<= terminal (true (step 3))))";
}

// Columns of two switches that are equal or not take three nodes each.
TEST(Order, GoalsThatWaitForAStepAreMeasured) {
  const Ordered always = ordered(two_rows("(<= (goal robot 100) (not differ))"));
  const Ordered late = ordered(two_rows("(<= (goal robot 100) (true (step 3)) (not differ))"));
  EXPECT_EQ(always.order.cost, 9);
  EXPECT_EQ(late.order.cost, 9);
  EXPECT_EQ(late.order.variables, always.order.variables);
}

TEST(Order, GoalsOfDifferentStepsAreMeasuredTogether) {
  const Ordered found = ordered(two_rows(R"(
    (<= (goal robot 100) (true (step 3)) (not differ))
    (<= (goal robot 50) (true (step 2)) (not differ))
    (<= (goal robot 0) (true (step 2)) (true (p 1 1))))"));
  EXPECT_EQ(found.order.cost, 9 + 1);
}

TEST(Order, AGameOfAClockAloneHasNothingToOrder) {
  const Ordered found = ordered(R"(
    (role robot) (init (step 1)) (goal robot 0) (legal robot noop)
    (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2))))");
  EXPECT_TRUE(found.order.variables.empty());
  EXPECT_EQ(found.order.origin, "as listed");
}

TEST(Order, IsTheSameEveryTime) {
  EXPECT_EQ(ordered("clobber", {"3", "4"}).order.variables,
            ordered("clobber", {"3", "4"}).order.variables);
}

TEST(Order, CandidatesAreDifferentPermutations) {
  OrderProblem problem;
  for (std::size_t i = 0; i < 12; ++i) problem.variables.push_back({i % 2, {i / 2 % 3, i / 6}});
  problem.variables.push_back({2, {}});
  const auto candidates = order_candidates(problem);
  std::set<Order> seen;
  for (const OrderCandidate& candidate : candidates) {
    EXPECT_TRUE(is_permutation_of_all(candidate.order, 13));
    EXPECT_EQ(candidate.order.front(), 12u);
    EXPECT_TRUE(seen.insert(candidate.order).second) << candidate.origin;
  }
  EXPECT_GE(candidates.size(), 8u);
}

// The diagram of pairs that must be equal is as large as the pairs are far apart.
OrderSize open_pairs(const Order& order, std::size_t most) {
  std::size_t nodes = 0, open = 0;
  std::vector<bool> seen(order.size(), false);
  for (const std::size_t v : order) {
    const std::size_t other = (v + order.size() / 2) % order.size();
    open = seen[other] ? open - 1 : open + 1;
    seen[v] = true;
    nodes += std::size_t{1} << open;
  }
  return {nodes <= most ? std::optional(nodes) : std::nullopt, nodes};
}

TEST(Order, SiftingBringsPartnersTogether) {
  OrderProblem problem{std::vector<OrderVariable>(10), {}, {}, open_pairs};
  const VariableOrder found = choose_order(problem);
  EXPECT_EQ(open_pairs(found.variables, 10'000).nodes, 15u) << found.origin;
}

TEST(Order, BudgetsEndTheSearch) {
  OrderProblem problem{std::vector<OrderVariable>(16), {}, {}, open_pairs};
  const VariableOrder first = choose_order(problem, {1 << 20, 0, 0});
  EXPECT_EQ(first.evaluations, 1u);
  const VariableOrder none = choose_order(problem, {10, 1 << 20, 1 << 20});
  EXPECT_TRUE(is_permutation_of_all(none.variables, 16));
}

TEST(Order, LimitsEndTheSearch) {
  OrderProblem problem{std::vector<OrderVariable>(16), {}, {}, open_pairs};
  OrderBudget budget;
  budget.limits = base::Limits(std::chrono::duration<double>(0), std::nullopt);
  const VariableOrder found = choose_order(problem, budget);
  EXPECT_TRUE(is_permutation_of_all(found.variables, 16));
  EXPECT_LE(found.evaluations, 2u);
}

// Then only the names of the fluents count.
TEST(Order, LimitsEndLookingAtTheRules) {
  const Ordered found = ordered("clobber", {"3", "4"});
  ASSERT_FALSE(found.problem.moves.empty());
  OrderBudget budget;
  budget.limits = base::Limits(std::chrono::duration<double>(0), std::nullopt);
  const OrderProblem problem = order_problem(found.machine->game(), found.encoding, budget);
  EXPECT_TRUE(problem.moves.empty());
  EXPECT_TRUE(problem.conditions.empty());
  const VariableOrder order = choose_order(problem, budget);
  EXPECT_TRUE(is_permutation_of_all(order.variables, found.encoding.variables().size()));
}

TEST(Order, LimitsEndTheCandidates) {
  const Ordered found = ordered("clobber", {"3", "4"});
  const base::Limits none(std::chrono::duration<double>(0), std::nullopt);
  const auto all = order_candidates(found.problem), few = order_candidates(found.problem, none);
  ASSERT_FALSE(few.empty());
  EXPECT_LT(few.size(), all.size());
  EXPECT_EQ(few.front().order, all.front().order);
}

TEST(Order, DistancesOfMoves) {
  EXPECT_EQ(mean_span({{0, 1}, {1, 3}, {2}}, {0, 2, 1, 3}), (2.0 + 1.0) / 2);
  EXPECT_EQ(mean_span({}, {0}), 1);
}

}  // namespace
}  // namespace zermelo::symbolic

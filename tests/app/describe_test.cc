#include "app/describe.h"

#include "app/app_fixture.h"
#include "app/json.h"

namespace zermelo::app {
namespace {

TEST(Describe, TicTacToeIsEnumerated) {
  std::vector<std::string> activities;
  const Context context{[&](std::string activity) { activities.push_back(activity); }, {}};
  const auto described = describe({shipped("tic_tac_toe")}, context);
  ASSERT_TRUE(described);
  EXPECT_EQ(activities, (std::vector<std::string>{"grounding", "analysing"}));
  ASSERT_TRUE(described->conditions);
  EXPECT_EQ(described->conditions->states, 5478u);
  EXPECT_FALSE(described->state_bound);
  EXPECT_FALSE(described->symbolic);
  const auto json = parsed(to_json(*described));
  EXPECT_EQ(json["roles"], (nlohmann::json{"x", "o"}));
  EXPECT_EQ(json["traits"]["states"], "5478");
  EXPECT_EQ(json["traits"]["constant_sum"]["evidence"], "proved");
  EXPECT_EQ(json["conditions"]["ends"]["evidence"], "proved");
  EXPECT_EQ(json["mutex_groups"].size(), json["mutex_proof"]["exactly_one"].size());
  EXPECT_GT(json["optimiser"]["operations_per_step"], 0);
  EXPECT_FALSE(json.contains("symbolic"));
}

TEST(Describe, WithoutConditionsTheGameIsOnlyGrounded) {
  const auto described = describe({shipped("tic_tac_toe"), false});
  ASSERT_TRUE(described);
  EXPECT_FALSE(described->conditions);
  EXPECT_FALSE(described->mutex_groups);
  const auto json = parsed(to_json(*described));
  EXPECT_GT(json["ground_rules"], 0);
  EXPECT_FALSE(json.contains("conditions"));
  EXPECT_EQ(json["traits"]["players"], 2);
  EXPECT_EQ(json["traits"]["goal_values"]["x"], (nlohmann::json{0, 50, 100}));
}

TEST(Describe, DiagramsOnDemand) {
  DescribeRequest request{shipped("tic_tac_toe"), false};
  request.symbolic = true;
  const auto described = describe(request);
  ASSERT_TRUE(described);
  ASSERT_TRUE(described->symbolic);
  EXPECT_FALSE(described->symbolic->variables.empty());
  const auto json = parsed(to_json(*described))["symbolic"];
  EXPECT_EQ(json["variables"].size(), described->symbolic->variables.size());
  EXPECT_EQ(json["phases"].size(), described->symbolic->phases.size());
  EXPECT_GT(json["phases"][0]["relation_nodes"], 0);
}

TEST(Describe, RespectsLimitsAndCancellation) {
  DescribeRequest request{shipped("tic_tac_toe")};
  EXPECT_EQ(describe(request, cancelled()).error().kind, base::ErrorKind::time_limit);
  request.limits.memory_bytes = 1;
  EXPECT_EQ(describe(request).error().kind, base::ErrorKind::memory_limit);
}

// Cancelled when the conditions are about to be checked, which would take seconds.
TEST(Describe, ReactsToCancellationInsideConditionChecks) {
  std::stop_source source;
  const Context context{[&](const std::string& activity) {
                          if (activity == "analysing") source.request_stop();
                        },
                        source.get_token()};
  const auto described = describe({shipped("connect_four")}, context);
  ASSERT_TRUE(described);
  ASSERT_TRUE(described->conditions);
  EXPECT_EQ(described->conditions->has_moves.evidence, analysis::Evidence::sampled);
  EXPECT_EQ(described->conditions->has_moves.reason.rfind("0 states checked", 0), 0u)
      << described->conditions->has_moves.reason;
}

}  // namespace
}  // namespace zermelo::app

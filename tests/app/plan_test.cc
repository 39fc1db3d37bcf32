#include "app/plan.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/app_fixture.h"
#include "app/json.h"

namespace zermelo::app {
namespace {

using namespace std::chrono_literals;
using base::ErrorKind;

TEST(Plan, IsReplayedAndProved) {
  const auto report = plan({.rules = shipped("towers_of_hanoi")});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->is_solved());
  EXPECT_TRUE(report->is_optimal);
  EXPECT_TRUE(report->is_validated);
  EXPECT_FALSE(report->stopped);
  EXPECT_EQ(report->reward, 100);
  EXPECT_EQ(parsed(to_json(*report))["moves"].size(), report->moves.size());
}

TEST(Plan, ReportsTheBestSoFarAtALimit) {
  const auto report = plan({.rules = shipped("fifteen_puzzle"), .limits = {.time = 3s}});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->stopped);
  EXPECT_EQ(report->stopped->kind, ErrorKind::time_limit);
  EXPECT_FALSE(report->is_optimal);
  EXPECT_FALSE(report->is_unsolvable());
  EXPECT_EQ(parsed(to_json(*report))["error"]["kind"], "time_limit");
}

TEST(Plan, RefusesOtherPlannersAndGames) {
  EXPECT_EQ(plan({.rules = shipped("maze"), .planner = "nobody"}).error().kind,
            ErrorKind::invalid_request);
  EXPECT_EQ(plan({.rules = shipped("nim")}).error().kind, ErrorKind::not_applicable);
}

TEST(Plan, CanBeCancelled) {
  const auto report = plan({.rules = shipped("fifteen_puzzle")}, cancelled());
  ASSERT_TRUE(!report || report->stopped);
  EXPECT_EQ(report ? report->stopped->kind : report.error().kind, ErrorKind::time_limit);
}

}  // namespace
}  // namespace zermelo::app

#include "app/verify.h"

#include <nlohmann/json.hpp>

#include "app/json.h"
#include "app/requests.h"
#include "app/solve.h"

namespace zermelo::app {
namespace {

using base::ErrorKind;

class Verify : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(app::solve({.rules = shipped_rules("tic_tac_toe"), .folder = name()}));
  }
  std::string name() const { return folder_.path().string(); }

  Folder folder_;
};

TEST_F(Verify, ARightSolutionIsOk) {
  CancelAt observer("nothing has this name");
  const auto all = verify({.folder = name()}, observer.context());
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_TRUE(all->ok());
  EXPECT_TRUE(all->exhaustive);
  EXPECT_EQ(all->states_checked, 5478u);
  EXPECT_EQ(observer.activities(), std::vector<std::string>{"verifying"});
  const auto sample = verify({.folder = name(), .sample = 100, .seed = 7});
  ASSERT_TRUE(sample);
  EXPECT_TRUE(sample->ok());
  EXPECT_FALSE(sample->exhaustive);
  EXPECT_LT(sample->states_checked, 5478u);
}

TEST_F(Verify, DamageIsAResult) {
  folder_.write("layer-0003.values", folder_.read("layer-0002.values"));
  const auto damaged = verify({.folder = name()});
  ASSERT_TRUE(damaged) << damaged.error().message;
  EXPECT_FALSE(damaged->ok());
  const auto json = nlohmann::json::parse(to_json(*damaged));
  EXPECT_EQ(json.at("ok"), false);
  EXPECT_EQ(json.at("failures_found"), damaged->failures_found);
  EXPECT_EQ(json.at("failures").size(), damaged->failures.size());
}

TEST_F(Verify, RespectsLimitsAndCancellation) {
  const auto cancelled = verify({.folder = name()}, cancelled_context());
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().kind, ErrorKind::time_limit);
  EXPECT_EQ(cancelled.error().message.rfind("time limit reached ", 0), 0u);
  const auto large = verify({.folder = name(), .limits = {.memory_bytes = 1}});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, ErrorKind::memory_limit);
}

TEST_F(Verify, NeedsAFinishedSolution) {
  const auto nothing = verify({.folder = name() + "-none"});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::unreadable_input);
}

TEST_F(Verify, JsonHasTheWholeResult) {
  const auto all = verify({.folder = name()});
  ASSERT_TRUE(all);
  const auto json = nlohmann::json::parse(to_json(*all));
  EXPECT_EQ(json.at("ok"), true);
  EXPECT_EQ(json.at("states"), "5478");
  EXPECT_EQ(json.at("states_checked"), "5478");
  EXPECT_EQ(json.at("exhaustive"), true);
  EXPECT_EQ(json.at("failures"), nlohmann::json::array());
}

}  // namespace
}  // namespace zermelo::app

// The request behind `evaluate`.
#include "app/evaluate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/app_fixture.h"
#include "app/json.h"

namespace zermelo::app {
namespace {

TEST(Evaluate, EveryEvaluatorJudgesEveryRole) {
  for (const char* name : {"linear", "patterns", "distance", "basic", "fuzzy", "network",
                           "fuzzy:without=order+persistence:norm=yager3:cardinality=disjunction"}) {
    SCOPED_TRACE(name);
    const auto result = evaluate({shipped("tic_tac_toe"), name, "(mark 2 2) (mark 1 2)"});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->evaluator, name);
    ASSERT_EQ(result->roles.size(), 2u);
    EXPECT_EQ(result->roles[0].role, "x");
    EXPECT_GE(result->roles[0].value, result->roles[1].value);  // yager3 has reached its bound
    if (std::string_view(name).find("yager") == std::string_view::npos) {
      EXPECT_GT(result->roles[0].value, result->roles[1].value);
    }
    EXPECT_FALSE(result->roles[0].parts.empty());
    const auto json = parsed(to_json(*result));
    EXPECT_EQ(json["values"].size(), 2u);
    EXPECT_EQ(json["parts"][1]["name"], "o");
    EXPECT_EQ(json["parts"][0]["children"].size(), result->roles[0].parts.size());
  }
}

TEST(Evaluate, SaysWhatIsWrong) {
  for (const char* wrong : {"fuzzy:without=hope", "fuzzy:norm=yager0", "fuzzy:norm=", "fuzzy:x=1",
                            "basic:norm=yager", "fuzz", "network:", "networks"}) {
    EXPECT_EQ(evaluate({shipped("tic_tac_toe"), wrong}).error().kind,
              base::ErrorKind::invalid_request);
  }
  EXPECT_EQ(evaluate({shipped("tic_tac_toe"), "wisdom"}).error().kind,
            base::ErrorKind::invalid_request);
  EXPECT_EQ(evaluate({shipped("tic_tac_toe"), "basic", "(mark 4 4)"}).error().kind,
            base::ErrorKind::not_applicable);
}

TEST(Evaluate, RespectsLimits) {
  EvaluateRequest request{shipped("breakthrough"), "linear"};
  request.limits.time = std::chrono::duration<double>(0);
  EXPECT_EQ(evaluate(request).error().kind, base::ErrorKind::time_limit);
  EXPECT_EQ(evaluate({shipped("breakthrough")}, cancelled()).error().kind,
            base::ErrorKind::time_limit);
}

}  // namespace
}  // namespace zermelo::app

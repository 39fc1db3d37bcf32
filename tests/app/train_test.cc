// The request behind `train`.
#include "app/train.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/app_fixture.h"
#include "app/evaluate.h"
#include "app/json.h"
#include "app/solve.h"

namespace zermelo::app {
namespace {

class Train : public ::testing::Test {
 protected:
  Train() { std::filesystem::create_directories(folder_); }
  ~Train() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  TrainRequest request(const std::string& game, const std::string& name,
                       std::uint64_t games) const {
    return {.rules = shipped(game), .file = path(name), .games = games};
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("train_test." + std::to_string(::getpid()));
};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Without the line with the seconds.
std::string weights_of(const std::string& path) {
  std::istringstream text(text_of(path));
  std::string rest;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("seconds")) rest += line + "\n";
  }
  return rest;
}

TEST_F(Train, ResumesAFileAsIfItHadNotStopped) {
  ASSERT_TRUE(train(request("tic_tac_toe", "whole", 96)));
  for (int run = 0; run < 3; ++run) {
    const auto result = train(request("tic_tac_toe", "parts", 32));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->resumed, run > 0);
    EXPECT_EQ(result->games, 32u * (static_cast<unsigned>(run) + 1));
  }
  EXPECT_EQ(weights_of(path("parts")), weights_of(path("whole")));
}

TEST_F(Train, ANetworkIsAnEvaluatorOfItsGame) {
  const auto trained = train(request("connect_four", "network", 64));
  ASSERT_TRUE(trained) << trained.error().message;
  EXPECT_GT(trained->positions, 64u * 7);
  const std::string evaluator = "network:" + path("network");
  const auto value = evaluate({shipped("connect_four"), evaluator});
  ASSERT_TRUE(value) << value.error().message;
  const auto before = evaluate({shipped("connect_four"), "network"});
  EXPECT_NE(value->roles[0].value, before->roles[0].value);
  EXPECT_EQ(evaluate({shipped("tic_tac_toe"), evaluator}).error().kind,
            base::ErrorKind::not_applicable);
  EXPECT_EQ(evaluate({shipped("tic_tac_toe"), "network:" + path("missing")}).error().kind,
            base::ErrorKind::unreadable_input);
  EXPECT_EQ(train(request("tic_tac_toe", "network", 16)).error().kind,
            base::ErrorKind::not_applicable);
}

TEST_F(Train, LearnsExactValuesOfASolution) {
  SolveRequest solving{.rules = shipped("tic_tac_toe"), .folder = path("solution")};
  ASSERT_TRUE(solve(solving));
  TrainRequest wanted = request("tic_tac_toe", "network", 8'000);
  wanted.values = path("solution");
  const auto result = train(wanted);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LT(result->curve.back().error, result->curve.front().error / 2);
  const auto json = parsed(to_json(*result));
  EXPECT_EQ(json["file"], path("network"));
  EXPECT_EQ(json["games"], 8'000);
  EXPECT_EQ(json["curve"].back()["step"], json["positions"]);
}

TEST_F(Train, TimeIsAnOrdinaryEnd) {
  TrainRequest wanted{.rules = shipped("tic_tac_toe"), .file = path("network")};
  wanted.limits.time = std::chrono::duration<double>(0.1);
  const auto result = train(wanted);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(result->stopped);
}

TEST_F(Train, CancellationKeepsWhatWasLearned) {
  std::stop_source source;
  Context context{.stop = source.get_token()};
  context.progress = [&](const std::string& activity) {
    if (activity.starts_with("training: 160 games")) source.request_stop();
  };
  const auto result = train(request("tic_tac_toe", "network", 1'000'000), context);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_TRUE(result->stopped);
  EXPECT_EQ(result->games, 160u);
  EXPECT_NE(text_of(path("network")).find("games 160\n"), std::string::npos);
}

TEST_F(Train, SaysWhatIsWrong) {
  ASSERT_TRUE(train(request("tic_tac_toe", "network", 16)));
  TrainRequest wanted = request("tic_tac_toe", "network", 16);
  wanted.hidden = 7;
  EXPECT_EQ(train(wanted).error().kind, base::ErrorKind::invalid_request);
  wanted.hidden.reset();
  wanted.start = eval::network::Start::noise;
  EXPECT_EQ(train(wanted).error().kind, base::ErrorKind::invalid_request);
  std::ofstream(path("text")) << "no network";
  EXPECT_EQ(train(request("tic_tac_toe", "text", 16)).error().kind,
            base::ErrorKind::unreadable_input);
  EXPECT_EQ(train(request("tic_tac_toe", "missing/network", 16)).error().kind,
            base::ErrorKind::unwritable_output);
}

}  // namespace
}  // namespace zermelo::app

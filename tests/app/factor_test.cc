#include "app/factor.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/app_fixture.h"
#include "app/json.h"

namespace zermelo::app {
namespace {

using analysis::Grain;

TEST(Factor, NamesTheSubgames) {
  const auto result = factor({.rules = shipped("incredible")});
  ASSERT_TRUE(result) << result.error().message;
  const auto json = parsed(to_json(*result));
  EXPECT_EQ(json["subgames"].size(), 3u);
  EXPECT_EQ(json["subgames"][0]["fluents"], (std::vector<std::string>{"cell", "gold"}));
  EXPECT_EQ(json["subgames"][0]["moves"], (std::vector<std::string>{"drop", "grab", "move"}));
  EXPECT_EQ(json["subgames"][0]["initial"], (std::vector<std::string>{"(cell w)", "(gold y)"}));
  EXPECT_EQ(json["subgames"][0]["action_independent"], false);
  EXPECT_EQ(json["subgames"][2]["action_independent"], true);
  EXPECT_EQ(json["decomposed"], true);
}

TEST(Factor, NamesRolesOfGroundMoves) {
  const auto result = factor({.rules = shipped("nim"), .grain = Grain::ground});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->subgames[0].fluents, (std::vector<std::string>{"(heap 1 0)", "(heap 1 1)"}));
  EXPECT_EQ(result->subgames[0].moves,
            (std::vector<std::string>{"first (leave 1 0)", "second (leave 1 0)"}));
}

std::string text_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Factor, WritesRulesAndPictures) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "zermelo_factor_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const std::string name : {"graph.svg", "graph.dot"}) {
    const auto result =
        factor({.rules = shipped("two_graphs"), .out = folder, .draw = folder / name});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->files.size(), 3u);
  }
  EXPECT_TRUE(read_rules(folder / "subgame_2.kif"));
  EXPECT_NE(text_in(folder / "graph.svg").find("move1"), std::string::npos);
  EXPECT_NE(text_in(folder / "graph.dot").find("digraph"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Factor, RefusesOtherPicturesAndSharedMoves) {
  EXPECT_EQ(factor({.rules = shipped("two_graphs"), .draw = "graph.pdf"}).error().kind,
            base::ErrorKind::invalid_request);
  const auto folder = std::filesystem::path(::testing::TempDir()) / "zermelo_factor_refused";
  const auto result =
      factor({.rules = shipped("double_tic_tac_toe"), .grain = Grain::ground, .out = folder});
  EXPECT_EQ(result.error().kind, base::ErrorKind::not_applicable);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace zermelo::app

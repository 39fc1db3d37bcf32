#include <fstream>
#include <sstream>

#include "app/app_fixture.h"
#include "app/experiments/bandit.h"
#include "app/experiments/curves.h"
#include "app/experiments/position.h"
#include "app/experiments/properties.h"
#include "app/experiments/strength.h"
#include "app/json.h"
#include "app/players.h"

namespace zermelo::app {
namespace {

std::size_t lines_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  return lines;
}

// Wilson's interval of one success in 500: from 0.04 to 1.1%, not 0.2 plus or minus 0.5.
TEST(Experiments, CsvHasTheBoundsOfAnInterval) {
  EXPECT_EQ(csv_cells(base::share_95(1, 500)), "0.0020,0.0004,0.0112");
}

TEST(Experiments, JsonHasTheBoundsOfEveryPoint) {
  PositionStudy study;
  study.agents.push_back({{"UCT", {{0.25, 0.25, 0.5}, {0.5, 0.25}}}, 50});
  EXPECT_EQ(to_json(study),
            R"({"curves":[{"agent":"UCT","every":50,"right":[0.25,0.5],"half_widths":[0.25,0.25],)"
            R"("low":[0.25,0.25],"high":[0.75,0.75]}]})");
}

TEST(Experiments, BanditsWriteTheirFiles) {
  const TemporaryFolder folder;
  BanditRequest request;
  request.tasks = 1;
  request.folder = file_in(folder, "bandit");
  const auto study = study_bandits(request);
  ASSERT_TRUE(study);
  EXPECT_TRUE(study->files);
  ASSERT_EQ(study->setups.size(), search::paper_setups().size());
  const std::size_t points = study->setups[0].curves[0].points.size();
  const auto json = parsed(to_json(*study));
  EXPECT_EQ(json["every"], 10);
  EXPECT_EQ(lines_in(file_in(folder, "bandit/bandit.csv")), 1 + json["curves"].size() * points);
  EXPECT_TRUE(std::filesystem::exists(file_in(folder, "bandit/bandit_hand_built_20.svg")));
  EXPECT_EQ(json["curves"][0]["right"].size(), points);
}

TEST(Experiments, PositionMeasuresEveryVariant) {
  const TemporaryFolder folder;
  std::vector<std::string> reported;
  PositionRequest request;
  request.trials = 1;
  request.folder = file_in(folder, "position");
  const auto study = study_position(request, {[&](std::string name) { reported.push_back(name); }});
  ASSERT_TRUE(study);
  EXPECT_EQ(study->agents.size(), 6u);
  EXPECT_EQ(reported.size(), 6u);
  EXPECT_EQ(lines_in(file_in(folder, "position/position.csv")), 1u + 6 * 60);
  EXPECT_TRUE(std::filesystem::exists(file_in(folder, "position/position.svg")));
  EXPECT_EQ(parsed(to_json(*study))["curves"][5]["every"], 500);
}

// The agents that were measured until then are kept, also in the files.
TEST(Experiments, ACancelledOneKeepsWhatItMeasured) {
  const TemporaryFolder folder;
  PositionRequest request;
  request.trials = 1;
  request.folder = file_in(folder, "position");
  std::stop_source source;
  const Context context{[&source](const std::string& activity) {
                          if (activity == "MA") source.request_stop();
                        },
                        source.get_token()};
  const auto study = study_position(request, context);
  ASSERT_TRUE(study) << study.error().message;
  ASSERT_TRUE(study->stopped);
  ASSERT_EQ(study->agents.size(), 2u);
  EXPECT_EQ(study->agents[1].curve.name, "ST");
  EXPECT_EQ(lines_in(file_in(folder, "position/position.csv")), 1u + 2 * 60);
  EXPECT_EQ(parsed(to_json(*study))["error"]["kind"], "time_limit");
}

PropertiesRequest quick_properties(const TemporaryFolder& folder) {
  PropertiesRequest request;
  request.quick = true;
  request.trials = 1;
  request.threads = 1;
  request.folder = file_in(folder, "properties");
  return request;
}

TEST(Experiments, PropertiesAreMeasuredOnceAndReadBack) {
  const TemporaryFolder folder;
  const PropertiesRequest request = quick_properties(folder);
  const auto first = study_properties(request);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->files);
  EXPECT_EQ(first->races.size(), 3u * 2 * 2);
  EXPECT_EQ(first->progression.size(), 2u * 2);
  EXPECT_EQ(first->optimistic.size(), 2u);
  for (const char* picture :
       {"penalties", "shock-step", "punishment", "progression_expansions",
        "progression_simulations", "progression_decided", "progression_runners"})
    EXPECT_TRUE(std::filesystem::exists(file_in(folder, "properties/") + picture + ".svg"))
        << picture;

  std::vector<std::string> measured;
  const auto again =
      study_properties(request, {[&](std::string name) { measured.push_back(name); }});
  ASSERT_TRUE(again);
  EXPECT_EQ(measured, std::vector<std::string>{});
  EXPECT_EQ(match_points_csv(again->races), match_points_csv(first->races));
  EXPECT_EQ(choice_points_csv(again->optimistic), choice_points_csv(first->optimistic));
  EXPECT_EQ(parsed(to_json(*again))["races"].size(), first->races.size());
}

TEST(Experiments, PropertiesResumeAfterACancellation) {
  const TemporaryFolder folder;
  const PropertiesRequest request = quick_properties(folder);
  std::stop_source source;
  const Context context{[&source](const std::string& activity) {
                          if (activity == "shock-step 10 4") source.request_stop();
                        },
                        source.get_token()};
  const auto part = study_properties(request, context);
  ASSERT_TRUE(part);
  ASSERT_TRUE(part->stopped);
  EXPECT_EQ(part->races.size(), 6u);
  std::vector<std::string> measured;
  const auto rest =
      study_properties(request, {[&](std::string name) { measured.push_back(name); }});
  ASSERT_TRUE(rest);
  EXPECT_EQ(measured[0], "shock-step 10 4");
  EXPECT_EQ(rest->races.size(), 12u);
}

TEST(Experiments, PropertiesRefuseOtherFiles) {
  const TemporaryFolder folder;
  const PropertiesRequest request = quick_properties(folder);
  std::filesystem::create_directories(request.folder);
  for (const char* text : {"something else\n", "pawns,expansions,tries,move,times\n1,2,3,4\n",
                           "pawns,expansions,tries,move,times\nx,2,3,(a),5\n"}) {
    std::ofstream(request.folder + "/optimistic.csv") << text;
    EXPECT_EQ(study_properties(request).error().kind, base::ErrorKind::unreadable_input) << text;
  }
}

TEST(Experiments, AreCancelled) {
  EXPECT_EQ(study_properties({}, cancelled()).error().kind, base::ErrorKind::time_limit);
  EXPECT_EQ(study_bandits({}, cancelled()).error().kind, base::ErrorKind::time_limit);
  EXPECT_EQ(study_position({}, cancelled()).error().kind, base::ErrorKind::time_limit);
}

class StrengthOfPlayers : public ::testing::Test {
 protected:
  StrengthOfPlayers() { solve::store_in(folder_, solve::solved(solve::shipped("tic_tac_toe"))); }

  StrengthRequest request(const std::vector<std::string>& players) const {
    StrengthRequest request{shipped("tic_tac_toe"), folder_.path().string(),
                            read_players(players, players.size()).value()};
    request.positions = 30;
    return request;
  }

  TemporaryFolder folder_;
};

TEST_F(StrengthOfPlayers, ThePerfectOneKeepsEveryValue) {
  const std::string perfect = "perfect:" + folder_.path().string();
  const auto study = study_strength(request({"legal", perfect}));
  ASSERT_TRUE(study);
  EXPECT_EQ(study->positions, 30u);
  const auto json = parsed(to_json(*study));
  EXPECT_EQ(json["decisive"], study->decisive);
  ASSERT_EQ(json["players"].size(), 2u);
  EXPECT_EQ(json["players"][0]["player"], "legal");
  EXPECT_LT(json["players"][0]["kept"], 1);
  EXPECT_EQ(json["players"][1]["player"], perfect);
  EXPECT_EQ(json["players"][1]["kept"], 1);
}

TEST_F(StrengthOfPlayers, IsCancelledAndNeedsTheRightFolder) {
  EXPECT_EQ(study_strength(request({"legal"}), cancelled()).error().kind,
            base::ErrorKind::time_limit);
  StrengthRequest other = request({"legal"});
  other.rules = generated("nim", {"1", "2", "3"});
  EXPECT_EQ(study_strength(other).error().kind, base::ErrorKind::not_applicable);
}

TEST(Experiments, UsualPlayersExist) {
  EXPECT_TRUE(read_players(usual_players(), usual_players().size()));
}

TEST(Experiments, FoldersThatCannotBeMade) {
  BanditRequest bandit;
  PositionRequest position;
  bandit.folder = position.folder = "/dev/null/folder";
  EXPECT_EQ(study_bandits(bandit).error().kind, base::ErrorKind::unwritable_output);
  EXPECT_EQ(study_position(position).error().kind, base::ErrorKind::unwritable_output);
}

}  // namespace
}  // namespace zermelo::app

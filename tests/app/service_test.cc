// Games as a page shows them, on shipped games.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>

#include "app/service/agents.h"
#include "app/service/gamesman.h"
#include "app/service/position_view.h"
#include "app/service/puzzles.h"
#include "app/service/records.h"
#include "app/service/solve_jobs.h"

namespace zermelo::app {
namespace {

class ServiceTest : public ::testing::Test {
 protected:
  ServiceTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("zermelo_service_" + std::to_string(::getpid()))),
        library_(folder_ / "games"),
        games_(library_, folder_ / "solutions", 8, {}) {}
  ~ServiceTest() override { std::filesystem::remove_all(folder_); }

  std::shared_ptr<OpenGame> open(const std::string& id) { return *games_.get(id); }
  std::shared_ptr<OpenGame> open_solved(const std::string& id) {
    const auto game = open(id);
    SolveRequest request;
    request.rules = game->rules();
    request.folder = game->solution_folder().string();
    EXPECT_TRUE(solve(request));
    return game;
  }

  std::filesystem::path folder_;
  GameLibrary library_;
  OpenGames games_;
};

TEST_F(ServiceTest, TheLibraryHasTheShippedGames) {
  const auto games = library_.shipped();
  EXPECT_GE(games.size(), 25u);
  EXPECT_EQ(library_.entry("connect_four")->title, "Connect four");
  EXPECT_FALSE(library_.entry("connect_four")->summary.empty());
  EXPECT_FALSE(library_.text("../games/nim"));
  EXPECT_FALSE(library_.text(""));
}

TEST_F(ServiceTest, AddedGamesAreFoundAgain) {
  const std::string rules = "(role a) ; mine";
  const auto id = library_.add(rules);
  ASSERT_TRUE(id);
  EXPECT_EQ(*library_.add(rules), *id);
  EXPECT_EQ(*GameLibrary(folder_ / "games").text(*id), rules);
  EXPECT_EQ(*library_.add(*library_.text("nim")), "nim");
  GameLibrary small(folder_ / "small", 10);
  EXPECT_FALSE(small.add(rules));
}

TEST_F(ServiceTest, ForcedMovesMayBeLeftOut) {
  const auto game = open("tic_tac_toe");
  const auto view = view_position(*game, {{{"(MARK 1 1)", std::nullopt}}});
  ASSERT_TRUE(view);
  EXPECT_EQ(view->history, (std::vector<std::vector<std::string>>{{"(mark 1 1)", "noop"}}));
  EXPECT_EQ(view->deciding, std::vector<std::string>{"o"});
  EXPECT_EQ(view->moves.size(), 8u);
  EXPECT_FALSE(view->solved);
  EXPECT_FALSE(view_position(*game, {{{std::nullopt, std::nullopt}}}));
  EXPECT_FALSE(view_position(*game, {{{"(mark 1 1)"}}}));
  EXPECT_FALSE(view_position(*game, {{{"(mark 1 4)", std::nullopt}}}));
}

TEST_F(ServiceTest, MovesNameTheCellsOfThePicture) {
  for (const char* id : {"tic_tac_toe", "connect_four", "breakthrough", "eight_puzzle"}) {
    const auto view = view_position(*open(id), {});
    ASSERT_TRUE(view) << id;
    for (const MoveView& move : view->moves) {
      EXPECT_FALSE(move.cells.empty()) << id << " " << move.name;
      for (const std::string& cell : move.cells) {
        EXPECT_NE(view->svg.find("data-cell=\"" + cell + "\""), std::string::npos) << cell;
      }
    }
  }
}

TEST_F(ServiceTest, ValuesAreThoseOfTheSolution) {
  const auto game = open_solved("tic_tac_toe");
  const auto view = view_position(*game, {{{"(mark 1 1)", std::nullopt}}, true});
  ASSERT_TRUE(view && view->value);
  EXPECT_EQ(view->value->rewards, (solve::Rewards{50, 50}));
  EXPECT_EQ(view->value->outcomes, (std::vector{Outcome::draw, Outcome::draw}));
  EXPECT_EQ(view->value->distance, 8u);
  EXPECT_EQ(view->line.size(), 8u);
  EXPECT_EQ(view->moves.front().name, "(mark 2 2)");
  EXPECT_TRUE(view->moves.front().best);
  EXPECT_EQ(view->moves.back().value->outcomes, (std::vector{Outcome::win, Outcome::lose}));
  const auto history =
      value_history(*game, {{"(mark 1 1)", std::nullopt}, {std::nullopt, "(mark 1 2)"}});
  ASSERT_TRUE(history);
  EXPECT_EQ(history->steps[1].loss, (std::vector<std::optional<int>>{0, std::nullopt}));
  EXPECT_EQ(history->steps[2].loss, (std::vector<std::optional<int>>{std::nullopt, 50}));
}

TEST_F(ServiceTest, OutcomesAreSeenByEachRole) {
  const auto pair = open("tic_tac_toe");
  EXPECT_EQ(outcome_of(*pair->simulator(), {100, 0}, 0), Outcome::win);
  EXPECT_EQ(outcome_of(*pair->simulator(), {100, 0}, 1), Outcome::lose);
  EXPECT_EQ(outcome_of(*pair->simulator(), {50, 50}, 1), Outcome::draw);
  EXPECT_EQ(outcome_of(*pair->simulator(), {}, 1), Outcome::endless);
  const auto alone = open("eight_puzzle");
  EXPECT_EQ(outcome_of(*alone->simulator(), {100}, 0), Outcome::win);
  EXPECT_EQ(outcome_of(*alone->simulator(), {0}, 0), Outcome::lose);
}

TEST_F(ServiceTest, TheProgramPlaysPerfectlyIfTheGameIsSolved) {
  const auto game = open_solved("tic_tac_toe");
  OpponentRequest request;
  request.steps = {{"(mark 1 1)", std::nullopt}};
  request.role = "o";
  EXPECT_EQ(*choose_move(*game, request), "(mark 2 2)");
  request.role = "z";
  EXPECT_FALSE(choose_move(*game, request));
  request.role = "o";
  request.kind = OpponentRequest::Kind::perfect;
  EXPECT_FALSE(choose_move(*open("nim"), request));
}

TEST_F(ServiceTest, ASearchIsWatched) {
  SearchRequest request;
  request.seconds = 5;
  std::uint64_t last = 0;
  int views = 0;
  const auto watched = watch_search(*open("connect_four"), request, [&](const SearchView& view) {
    EXPECT_GT(view.simulations, last);
    last = view.simulations;
    EXPECT_EQ(view.moves.size(), 7u);
    EXPECT_FALSE(view.line.empty());
    EXPECT_EQ(view.line.front(), view.moves.front().move);
    return ++views < 2;
  });
  EXPECT_TRUE(watched);
  EXPECT_EQ(views, 2);
}

TEST_F(ServiceTest, PuzzlesHaveExactlyOneAnswer) {
  EXPECT_FALSE(find_puzzles(*open("nim"), {}));
  const auto game = open_solved("tic_tac_toe");
  const auto puzzles = find_puzzles(*game, {.count = 10});
  ASSERT_TRUE(puzzles);
  EXPECT_EQ(puzzles->size(), 10u);
  for (const Puzzle& puzzle : *puzzles) {
    std::vector<StepChoice> steps;
    for (const auto& joint : puzzle.history) steps.push_back(step_of(joint));
    const auto view = view_position(*game, {steps});
    ASSERT_TRUE(view);
    EXPECT_EQ(view->deciding, std::vector{puzzle.role});
    EXPECT_EQ(view->moves.size(), puzzle.moves);
    EXPECT_EQ(std::count_if(view->moves.begin(), view->moves.end(),
                            [](const MoveView& move) { return move.keeps_value; }),
              1);
  }
}

TEST_F(ServiceTest, ARecordIsWrittenAndJudged) {
  const auto game = open_solved("tic_tac_toe");
  const auto text =
      write_record(*game, {{"(mark 1 1)", std::nullopt}, {std::nullopt, "(mark 1 2)"}}, {"a", "b"});
  ASSERT_TRUE(text);
  const auto judged = judge_record(*game, *text);
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->problem, "");
  EXPECT_EQ(judged->history.size(), 2u);
  EXPECT_EQ(judged->values.steps[2].loss[1], 50);
  EXPECT_FALSE(judge_record(*game, "{}"));
}

TEST_F(ServiceTest, JobsSolveAndTellOfIt) {
  SolveJobs jobs(games_, library_, folder_ / "solutions", folder_ / "jobs", {});
  EXPECT_FALSE(jobs.start("no_such_game"));
  const auto job = jobs.start("tic_tac_toe");
  ASSERT_TRUE(job);
  std::promise<std::string> end;
  ASSERT_TRUE(jobs.listen(job->id, [&](const std::string& event, bool is_last) {
    if (is_last) end.set_value(event);
    return true;
  }));
  EXPECT_NE(end.get_future().get().find("\"state\":\"solved\""), std::string::npos);
  EXPECT_TRUE(open("tic_tac_toe")->is_solved());
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "jobs"));
  EXPECT_FALSE(jobs.cancel(99));
}

TEST_F(ServiceTest, AJobThatWasInterruptedIsQueuedAgain) {
  std::filesystem::create_directories(folder_ / "jobs");
  { std::ofstream(folder_ / "jobs" / "nim") << '\n'; }
  { std::ofstream(folder_ / "jobs" / "no_such_game") << '\n'; }
  SolveJobs jobs(games_, library_, folder_ / "solutions", folder_ / "jobs", {});
  ASSERT_EQ(jobs.list().size(), 1u);
  EXPECT_EQ(jobs.list()[0].game, "nim");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "jobs" / "no_such_game"));
}

TEST_F(ServiceTest, GamesmanSeesThePlayerToMove) {
  const auto game = open_solved("tic_tac_toe");
  const auto start = gamesman_position(*game, gamesman_start(*game));
  ASSERT_TRUE(start);
  EXPECT_EQ(start->value, "tie");
  EXPECT_EQ(start->remoteness, 9);
  ASSERT_EQ(start->moves.size(), 9u);
  EXPECT_EQ(start->moves[0].value, "tie");
  EXPECT_EQ(start->moves[0].remoteness, 8);
  EXPECT_FALSE(gamesman_position(*game, "(cell 9 9 x)"));
  EXPECT_FALSE(gamesman_position(*game, ""));
}

}  // namespace
}  // namespace zermelo::app

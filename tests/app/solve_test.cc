#include "app/solve.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/json.h"
#include "app/plot.h"
#include "app/requests.h"
#include "app/verify.h"

namespace zermelo::app {
namespace {

using base::ErrorKind;
using solve::Algorithm;
using solve::Engine;
using solve::OpponentModel;
using solve::Rewards;

// The error of a request that must fail.
base::Error failure(const SolveRequest& request, const Context& context = {}) {
  const auto solved = solve(request, context);
  if (solved) throw std::runtime_error("the game was solved");
  return solved.error();
}

TEST(Solve, EnginesAgree) {
  const Rules rules = generated_rules("clobber", {"2", "3", "tokens"});
  const auto enumerated =
      solve({.rules = rules, .engine = Engine::explicit_states, .distances = true});
  const auto symbolic = solve({.rules = rules, .engine = Engine::symbolic, .distances = true});
  ASSERT_TRUE(enumerated) << enumerated.error().message;
  ASSERT_TRUE(symbolic) << symbolic.error().message;
  EXPECT_EQ(enumerated->summary.value, symbolic->summary.value);
  EXPECT_TRUE(enumerated->summary.distance);
  EXPECT_EQ(enumerated->summary.distance, symbolic->summary.distance);
  EXPECT_EQ(enumerated->summary.first_moves.size(), symbolic->summary.first_moves.size());
  EXPECT_EQ(enumerated->summary.algorithm, Algorithm::retrograde);
  EXPECT_EQ(symbolic->summary.algorithm, Algorithm::layered);
  EXPECT_EQ(enumerated->reason, "");
}

TEST(Solve, EveryAlgorithmFindsTheValue) {
  for (const auto& [algorithm, name] : solve::algorithms) {
    if (algorithm == Algorithm::partition) continue;  // for games of one role
    if (is_hidden_algorithm(algorithm)) continue;
    const auto solved =
        solve({.rules = shipped_rules("nim"), .engine = Engine::symbolic, .algorithm = algorithm});
    ASSERT_TRUE(solved) << name << ": " << solved.error().message;
    EXPECT_EQ(solved->summary.engine, Engine::symbolic);
    const bool is_chosen = algorithm == Algorithm::automatic;
    EXPECT_EQ(solved->summary.algorithm, is_chosen ? Algorithm::layered : algorithm);
    EXPECT_EQ(solved->summary.value.size(), 2u);
  }
  const auto single = solve({.rules = ring_rules(), .algorithm = Algorithm::partition});
  ASSERT_TRUE(single) << single.error().message;
  EXPECT_EQ(single->summary.value, Rewards{100});
}

TEST(Solve, TheChoiceHasAReason) {
  const auto few = solve({.rules = shipped_rules("tic_tac_toe")});
  ASSERT_TRUE(few);
  EXPECT_EQ(few->summary.engine, Engine::explicit_states);
  EXPECT_EQ(few->reason, "at most 1,000,000 states");
  EXPECT_EQ(few->summary.states, "5478");
  EXPECT_EQ(few->summary.value, (Rewards{50, 50}));
  const auto cyclic = solve({.rules = ring_rules(), .engine = Engine::symbolic});
  ASSERT_TRUE(cyclic);
  EXPECT_EQ(cyclic->summary.algorithm, Algorithm::retrograde);
  EXPECT_EQ(cyclic->reason, "not layered: states can repeat, so there is no last layer");
}

TEST(Solve, RefusesWhatItCannotSolve) {
  const SolveRequest contradicting{.rules = shipped_rules("nim"),
                                   .engine = Engine::explicit_states,
                                   .algorithm = Algorithm::matrix};
  EXPECT_NE(contradiction(contradicting), "");
  EXPECT_EQ(failure(contradicting).kind, ErrorKind::invalid_request);
  EXPECT_EQ(failure({.rules = ring_rules(), .algorithm = Algorithm::layered}).kind,
            ErrorKind::not_applicable);
  const base::Error together =
      failure({.rules = shipped_rules("rock_paper_scissors"), .engine = Engine::symbolic});
  EXPECT_EQ(together.kind, ErrorKind::not_applicable);
  EXPECT_NE(together.message.find("rock_paper_scissors.kif: "), std::string::npos);
}

TEST(Solve, RespectsLimits) {
  SolveRequest request{.rules = generated_rules("connect-four", {"7", "6"})};
  request.limits.time = std::chrono::milliseconds(300);
  const base::Error late = failure(request);
  EXPECT_EQ(late.kind, ErrorKind::time_limit);
  EXPECT_NE(late.message.find("time limit reached"), std::string::npos) << late.message;
  request.limits = {.memory_bytes = 1};
  EXPECT_EQ(failure(request).kind, ErrorKind::memory_limit);
}

// The place for temporary files, for as long as this lives.
class TemporaryFiles {
 public:
  TemporaryFiles() {
    if (const char* old = std::getenv("TMPDIR")) before_ = old;
    std::filesystem::create_directories(folder_.path());
    ::setenv("TMPDIR", folder_.path().c_str(), 1);
  }
  ~TemporaryFiles() {
    if (before_) {
      ::setenv("TMPDIR", before_->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }
  bool empty() const { return std::filesystem::is_empty(folder_.path()); }

 private:
  Folder folder_;
  std::optional<std::string> before_;
};

TEST(Solve, LeavesNoTemporaryFilesWhenCancelled) {
  const TemporaryFiles files;
  std::stop_source source;
  bool used = false;
  const Context context{[&](const std::string& activity) {
                          if (activity.rfind("found layer 3,", 0) != 0) return;
                          used = !files.empty();
                          source.request_stop();
                        },
                        source.get_token()};
  const base::Error error = failure(
      {.rules = generated_rules("connect-four", {"5", "5"}), .engine = Engine::symbolic}, context);
  EXPECT_EQ(error.kind, ErrorKind::time_limit);
  EXPECT_TRUE(used);
  EXPECT_TRUE(files.empty());
  EXPECT_EQ(error.message.find("to resume"), std::string::npos);
}

TEST(Solve, IsCancelledBeforeItStarts) {
  for (const auto& [engine, name] : solve::engines) {
    SCOPED_TRACE(name);
    const SolveRequest request{.rules = generated_rules("connect-four", {"4", "4"}),
                               .engine = engine};
    EXPECT_EQ(failure(request, cancelled_context()).kind, ErrorKind::time_limit);
  }
}

TEST(Solve, ResumesAnInterruptedFolder) {
  const Rules rules = generated_rules("connect-four", {"4", "4"});
  const Folder expected, folder;
  SolveRequest request{
      .rules = rules, .folder = expected.path().string(), .engine = Engine::symbolic};
  ASSERT_TRUE(solve(request));
  request.folder = folder.path().string();
  for (const char* moment : {"found layer 6,", "solved layer 9,"}) {
    CancelAt cancel(moment);
    const base::Error error = failure(request, cancel.context());
    EXPECT_EQ(error.kind, ErrorKind::time_limit);
    EXPECT_NE(error.message.find("run the same command again to resume"), std::string::npos)
        << error.message;
    EXPECT_EQ(cancel.activities().front(), "solving");
  }
  CancelAt observer("nothing has this name");
  const auto whole = solve(request, observer.context());
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->reason, "the folder was started with it");
  EXPECT_EQ(whole->folder, request.folder);
  EXPECT_EQ(folder.files(), expected.files());
  for (const std::string& activity : observer.activities()) {
    EXPECT_EQ(activity.find("found layer"), std::string::npos) << activity;
  }
}

TEST(Solve, AFinishedFolderIsReadAndNotSolved) {
  const Folder folder;
  const SolveRequest request{.rules = shipped_rules("tic_tac_toe"),
                             .folder = folder.path().string()};
  const auto first = solve(request);
  ASSERT_TRUE(first) << first.error().message;
  const auto files = folder.files();
  const auto second = solve(request);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(folder.files(), files);
  EXPECT_EQ(second->reason, "the folder was started with it");
  EXPECT_EQ(second->summary.value, first->summary.value);
  EXPECT_EQ(second->summary.states, first->summary.states);
  EXPECT_TRUE(verify({.folder = request.folder}).value().ok());
}

// Starts a solution by layers and cancels it.
SolveRequest started(const Folder& folder) {
  SolveRequest request{.rules = shipped_rules("tic_tac_toe"),
                       .folder = folder.path().string(),
                       .engine = Engine::symbolic};
  CancelAt cancel("found layer 4,");
  EXPECT_EQ(failure(request, cancel.context()).kind, ErrorKind::time_limit);
  request.engine = Engine::automatic;
  return request;
}

TEST(Solve, OptionsMustFitWhatWasStarted) {
  const Folder folder;
  const SolveRequest request = started(folder);
  const auto files = folder.files();
  const auto expect_refused = [&](auto change, const std::string& property) {
    SolveRequest changed = request;
    change(changed);
    const base::Error error = failure(changed);
    EXPECT_EQ(error.kind, ErrorKind::not_applicable);
    EXPECT_NE(error.message.find(property), std::string::npos) << error.message;
  };
  expect_refused([](SolveRequest& r) { r.model = OpponentModel::difference; }, "with --model own");
  expect_refused([](SolveRequest& r) { r.engine = Engine::explicit_states; },
                 "with the symbolic engine");
  expect_refused([](SolveRequest& r) { r.algorithm = Algorithm::matrix; }, "the algorithm layered");
  expect_refused([](SolveRequest& r) { r.rules = shipped_rules("nim"); }, "rules.kif differs");
  EXPECT_EQ(folder.files(), files);
  ASSERT_TRUE(solve(request));
  expect_refused([](SolveRequest& r) { r.distances = false; }, "was started with distances");
}

TEST(Solve, DistancesAreUndecidedUntilAllLayersAreFound) {
  const Folder folder;
  SolveRequest request = started(folder);
  request.distances = false;
  const auto solved = solve(request);
  ASSERT_TRUE(solved) << solved.error().message;
  EXPECT_FALSE(solved->summary.distance);
}

TEST(Solve, JsonHasTheWholeResult) {
  const Folder folder;
  const auto solved =
      solve({.rules = shipped_rules("tic_tac_toe"), .folder = folder.path().string()});
  ASSERT_TRUE(solved);
  const auto json = nlohmann::json::parse(to_json(*solved));
  EXPECT_EQ(json.at("values"), nlohmann::json({50, 50}));
  EXPECT_EQ(json.at("states"), "5478");
  EXPECT_EQ(json.at("distance"), 9);
  EXPECT_EQ(json.at("first_moves").size(), 9u);
  EXPECT_EQ(json.at("by_value").size(), 3u);
  EXPECT_EQ(json.at("engine"), "explicit");
  EXPECT_EQ(json.at("algorithm"), "retrograde");
  EXPECT_EQ(json.at("model"), "own");
  EXPECT_EQ(json.at("folder"), folder.path().string());
  const auto unstored = solve({.rules = shipped_rules("nim"), .engine = Engine::symbolic});
  ASSERT_TRUE(unstored);
  const auto without = nlohmann::json::parse(to_json(*unstored));
  EXPECT_EQ(without.at("folder"), nullptr);
  EXPECT_EQ(without.at("distance"), nullptr);
}

TEST(Plot, DrawsAFinishedSolutionOnly) {
  const Folder folder;
  EXPECT_EQ(plot({folder.path().string()}).error().kind, ErrorKind::unreadable_input);
  const SolveRequest request = started(folder);
  EXPECT_EQ(plot({request.folder}).error().kind, ErrorKind::unreadable_input);
  ASSERT_TRUE(solve(request));
  const auto drawn = plot({request.folder});
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(drawn->svg.rfind("<svg", 0), 0u);
}

}  // namespace
}  // namespace zermelo::app

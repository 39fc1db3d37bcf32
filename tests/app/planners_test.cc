// Planners of others, played by small scripts that answer, lie, crash, hang or flood.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "app/app_fixture.h"
#include "app/json.h"
#include "app/plan.h"

namespace zermelo::app {
namespace {

using namespace std::chrono_literals;
using base::ErrorKind;

const char* const right_plan =
    "echo '(move-a-table)' > $3; echo '(MOVE-B-A)' >> $3; echo '(move-c-b)' >> $3\n"
    "echo '(move-d-c)' >> $3; echo '(reach-goal-100)' >> $3; echo '; cost = 0' >> $3\n";

std::string script(const TemporaryFolder& folder, const std::string& commands) {
  const std::string path = file_in(folder, "planner");
  std::ofstream(path) << "#!/bin/sh\n" << commands;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

base::Result<PlanReport> plan_by(const std::string& commands, ResourceLimits limits = {},
                                 bool race = false) {
  const TemporaryFolder folder;
  if (!limits.time) limits.time = 60s;
  return plan({.rules = shipped("blocks_world"),
               .planner = script(folder, commands),
               .race = race,
               .limits = limits});
}

void expect_failure(const std::string& commands, const std::string& message) {
  const auto report = plan_by(commands);
  ASSERT_FALSE(report) << commands;
  EXPECT_EQ(report.error().kind, ErrorKind::not_applicable) << report.error().message;
  EXPECT_NE(report.error().message.find(message), std::string::npos) << report.error().message;
  EXPECT_NE(report.error().message.find("/planner"), std::string::npos) << report.error().message;
}

// Sets an environment variable while it exists.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(Planners, ProgramsGetPddlAndWriteAPlan) {
  const auto report =
      plan_by("test -s $1 && test -s $2 && test ! -e $3 || exit 9\n" + std::string(right_plan));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->is_optimal);
  EXPECT_TRUE(report->is_validated);
  EXPECT_EQ(report->reward, 100);
  EXPECT_EQ(report->moves,
            (std::vector<std::string>{"(move a table)", "(move b a)", "(move c b)", "(move d c)"}));
  EXPECT_NE(report->planner.find("planner"), std::string::npos);
}

TEST(Planners, TheLastOfSeveralPlansCounts) {
  const auto report =
      plan_by("echo nonsense > $3.1\n{ " + std::string(right_plan) + "}; mv $3 $3.2\n");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->reward, 100);
}

TEST(Planners, WrongPlansAreErrors) {
  expect_failure("echo '(move-a-b)' > $3", "is wrong: step 1: (move a b) is not legal");
  expect_failure("echo '(move-a-table)' > $3", "after all 1 steps the game is not over");
  expect_failure(": > $3", "after all 0 steps the game is not over");
  expect_failure(right_plan + std::string("echo '(move-d-table)' >> $3"),
                 "step 5: (move d table) comes after the end of the game");
  expect_failure("echo '(win)' > $3", "the task has no action win");
  expect_failure("echo 'I give up' > $3", "expected one action in parentheses");
  expect_failure("head -c 70000000 /dev/zero > $3", "cannot be read");
}

TEST(Planners, FailuresAreErrors) {
  expect_failure("echo 'no such heuristic' >&2; exit 3",
                 "ended with exit code 3: no such heuristic, and found no plan");
  expect_failure("kill -SEGV $$", "crashed (Segmentation fault)");
  expect_failure("yes planning", "more than 64 MB");
}

TEST(Planners, NoPlanIsNoProof) {
  const auto report = plan_by("exit 0");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->is_solved());
  EXPECT_FALSE(report->is_optimal);
  EXPECT_FALSE(report->is_unsolvable());
}

// The file has the number of a process that must be gone.
void expect_gone(const std::string& file) {
  pid_t child = 0;
  ASSERT_TRUE(std::ifstream(file) >> child);
  for (int i = 0; i < 100 && ::kill(child, 0) == 0; ++i) std::this_thread::sleep_for(20ms);
  std::string state;  // a killed process may still wait for somebody to take notice
  std::ifstream("/proc/" + std::to_string(child) + "/stat") >> state >> state >> state;
  EXPECT_TRUE(state.empty() || state == "Z") << state;
}

// The planner starts another process and hangs. Both must be gone afterwards.
TEST(Planners, AreKilledWithTheirChildrenAtTheLimit) {
  const TemporaryFolder folder;
  const std::string file = file_in(folder, "child");
  const auto report = plan_by("sleep 1000 &\necho $! > " + file + "\nwait\n", {.time = 1s});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->stopped);
  EXPECT_EQ(report->stopped->kind, ErrorKind::time_limit);
  expect_gone(file);
}

TEST(Planners, LeaveNoProcessesInOtherSessions) {
  const TemporaryFolder folder;
  const std::string file = file_in(folder, "child");
  const std::string hidden = "(setsid sh -c 'echo $$ > " + file + "; exec sleep 1000' &)\n";
  const std::string wait = "while ! test -s " + file + "; do sleep 0.01; done\n";
  const auto report = plan_by(hidden + wait + right_plan);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->reward, 100);
  expect_gone(file);
}

TEST(Planners, APlanThatWasWrittenBeforeTheLimitCounts) {
  const auto report = plan_by(right_plan + std::string("sleep 1000\n"), {.time = 1s});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->reward, 100);
  EXPECT_TRUE(report->is_optimal);
}

TEST(Planners, MemoryIsLimited) {
  const auto report =
      plan_by("head -c 900M /dev/zero | tail\nexit 5\n", {.memory_bytes = std::size_t{300} << 20});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("memory"), std::string::npos) << report.error().message;
}

TEST(Planners, ARaceSurvivesABadPlanner) {
  const auto report = plan_by("exit 3", {}, true);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->is_optimal);
  EXPECT_EQ(report->planner, "native");
  EXPECT_EQ(report->reward, 100);
}

TEST(Planners, NeedATemporaryFolder) {
  const TemporaryFolder folder;
  const std::string planner = script(folder, right_plan);
  const Environment no_folder("TMPDIR", file_in(folder, "missing"));
  const auto report = plan({.rules = shipped("blocks_world"), .planner = planner});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::unwritable_output);
  EXPECT_NE(report.error().message.find("TMPDIR"), std::string::npos) << report.error().message;
  EXPECT_EQ(report.error().message.find("--out"), std::string::npos) << report.error().message;
}

TEST(Planners, ThatCannotBeRunAreNamed) {
  const Rules rules = shipped("blocks_world");
  const auto missing = plan({.rules = rules, .planner = "/no/such/planner"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::unreadable_input);
  EXPECT_NE(missing.error().message.find("/no/such/planner"), std::string::npos);
  EXPECT_EQ(plan({.rules = rules, .planner = "downward"}).error().kind, ErrorKind::invalid_request);
  EXPECT_EQ(plan({.rules = rules, .external = {.search = "astar(blind())"}}).error().kind,
            ErrorKind::invalid_request);
  EXPECT_EQ(plan({.rules = shipped("nim"), .planner = "/bin/true"}).error().kind,
            ErrorKind::not_applicable);
}

// A package that is installed already, with a search component of ours.
std::string fake_package(const TemporaryFolder& folder, const std::string& commands) {
  const std::filesystem::path home = folder.path() / "zermelo/planners/fast-downward";
  const std::filesystem::path program =
      home / "lib/python3.9/site-packages/up_fast_downward/downward/builds/release/bin/downward";
  std::filesystem::create_directories(program.parent_path());
  std::ofstream(program) << "#!/bin/sh\n" << commands;
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  std::ofstream(home / "installed") << "test\n";
  return folder.path();
}

base::Result<PlanReport> plan_by_package(const std::string& commands) {
  const TemporaryFolder folder;
  const Environment cache("XDG_CACHE_HOME", fake_package(folder, commands));
  return plan(
      {.rules = shipped("blocks_world"), .planner = "fast-downward", .limits = {.time = 60s}});
}

TEST(Planners, PackagesGetSas) {
  const auto report = plan_by_package(
      "test $1 = --search && grep -q end_operator && test $4 = plan || exit 32\n"
      "echo '(move-a-table)\n(move-b-a)\n(move-c-b)\n(move-d-c)' > $4\n");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->reward, 100);
  EXPECT_TRUE(report->is_optimal);
}

// Exit code 12 of Fast Downward: no plan. For blind search that is a proof.
TEST(Planners, AnExhaustedPortfolioProvesThatThereIsNoPlan) {
  const auto report = plan_by_package("exit 12");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->is_unsolvable());
  const auto stopped = plan_by_package("exit 22");
  ASSERT_TRUE(stopped) << stopped.error().message;
  ASSERT_TRUE(stopped->stopped);
  EXPECT_EQ(stopped->stopped->kind, ErrorKind::memory_limit);
  EXPECT_FALSE(stopped->is_unsolvable());
  EXPECT_EQ(plan_by_package("exit 34").error().kind, ErrorKind::not_applicable);
}

// The first python3 in PATH makes an environment whose pip finds no network.
TEST(Planners, AFailedInstallationIsExplained) {
  const TemporaryFolder folder, cache;
  const std::string python = file_in(folder, "python3");
  std::ofstream(python)
      << "#!/bin/sh\ntest \"$2\" = venv || { echo 'ERROR: no network'; exit 1; }\n"
         "mkdir -p $4/bin && cp $0 $4/bin/python\n";
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const Environment path("PATH", folder.path().string() + ":" + std::getenv("PATH"));
  const Environment home("XDG_CACHE_HOME", cache.path().string());
  const PlanRequest request{.rules = shipped("blocks_world"), .planner = "symk"};
  const auto report = plan(request);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::not_applicable);
  EXPECT_NE(report.error().message.find("symk cannot be installed"), std::string::npos);
  EXPECT_NE(report.error().message.find("ERROR: no network"), std::string::npos);
  const auto race = plan({.rules = shipped("blocks_world"), .race = true});
  ASSERT_TRUE(race) << race.error().message;
  EXPECT_EQ(race->reward, 100);
  ASSERT_EQ(race->failures.size(), 2u);
  EXPECT_EQ(race->failures[1].planner, "symk");
  EXPECT_EQ(parsed(to_json(*race))["failures"][0]["planner"], "fast-downward");
}

}  // namespace
}  // namespace zermelo::app

// Programs that compute functions of rules: small scripts that answer, lie, hang, die, answer twice
// or flood, or that try what they must not do.
#include "gdl/functions.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <fstream>

#include "app/app_fixture.h"
#include "app/functions/external_functions.h"
#include "app/functions/sandbox.h"
#include "app/rules_text.h"
#include "base/limited_steps.h"
#include "reference/reference.h"

namespace zermelo::app {
namespace {

using namespace std::chrono_literals;
using base::ErrorKind;

constexpr const char* rules_text =
    "(include finance program) (use finance (grow ?a ?b))\n"
    "(role r) (legal r go) (goal r 0) (init (value 1)) (init (value 2)) (init (value 3))\n"
    "(<= (next (grown ?b)) (true (value ?a)) (grow ?a ?b)) (<= terminal (true (grown 0)))";

Rules finance_rules() { return rules_of_text("test.kif", rules_text).value(); }

// Answers each line "I grow N" with "I = N0".
const std::string good_answers = "while read i name n; do echo \"$i = ${n}0\"; done\n";

std::string function_script(const TemporaryFolder& folder, const std::string& commands,
                            const std::string& shell = "/bin/sh") {
  const std::string path = file_in(folder, "program");
  std::ofstream(path) << "#!" << shell << "\n" << commands;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

// The fluents after one step of the game, or the error.
base::Result<std::vector<std::string>> play(const std::string& commands,
                                            FunctionLimits limits = {}) {
  const TemporaryFolder folder;
  const auto with = with_functions(
      finance_rules(), {{"finance", function_script(folder, commands)}}, {.limits = limits});
  if (!with) return tl::unexpected(with.error());
  return base::within_limits([&] {
    auto engine = reference::Reference::make(*with).value();
    const auto state = engine.initial_state();
    return engine.fluent_names(engine.next_state(state, engine.legal_moves(state, 0)));
  });
}

using FluentNames = std::vector<std::string>;

void expect_failing_call(const std::string& commands, const std::string& what,
                         FunctionLimits limits = {}) {
  const auto played = play(commands, limits);
  ASSERT_FALSE(played) << commands;
  EXPECT_EQ(played.error().kind, ErrorKind::unreadable_input);
  const std::string& message = played.error().message;
  EXPECT_NE(message.find("the call \"grow "), std::string::npos) << message;
  EXPECT_NE(message.find("program 'finance'"), std::string::npos) << message;
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

TEST(ExternalFunctions, ProgramsAnswerLineByLine) {
  const auto fluents = play(good_answers);
  ASSERT_TRUE(fluents) << fluents.error().message;
  EXPECT_EQ(*fluents, (FluentNames{"(grown 10)", "(grown 20)", "(grown 30)"}));
}

TEST(ExternalFunctions, NoneMeansThatThereIsNoResult) {
  const auto fluents = play(
      "while read i name n; do if [ $n = 2 ]; then echo $i none; else echo $i = $n.5; fi; done\n");
  ASSERT_TRUE(fluents) << fluents.error().message;
  EXPECT_EQ(*fluents, (FluentNames{"(grown 1.5)", "(grown 3.5)"}));
}

// Each question twice, and an older one with every new one: 2 + 3 + 3 lines. Asking again costs
// nothing, as answers are stored.
TEST(ExternalFunctions, OneProcessIsKeptAndAnswersAreStored) {
  const TemporaryFolder folder;
  const std::string log = file_in(folder, "log");
  const std::string path =
      function_script(folder, "echo start >> " + log + "\nwhile read i name n; do echo $n >> " +
                                  log + "; echo $i = $n; done\n");
  const auto with = with_functions(finance_rules(), {{"finance", path}}, {}).value();
  for (int engine = 0; engine < 3; ++engine) {
    auto reference = reference::Reference::make(with).value();
    const auto state = reference.initial_state();
    reference.next_state(state, reference.legal_moves(state, 0));
  }
  std::ifstream lines(log);
  std::size_t starts = 0, questions = 0;
  for (std::string line; std::getline(lines, line);) ++(line == "start" ? starts : questions);
  EXPECT_EQ(starts, 1u);
  EXPECT_EQ(questions, 8u);
}

TEST(ExternalFunctions, ProgramsThatLieAreErrors) {
  expect_failing_call("while read i line; do echo $i 7; done\n",
                      "is neither \"= NAME\" nor \"none\"");
  expect_failing_call("while read i line; do echo \"$i = (cell 1)\"; done\n", "is neither");
  expect_failing_call("while read i line; do echo \"$i error no such number\"; done\n",
                      "it reports \"no such number\"");
}

// The same question gets another answer: at once, or later.
TEST(ExternalFunctions, ProgramsThatAreNotDeterministicAreErrors) {
  expect_failing_call("j=0\nwhile read i line; do j=$((j+1)); echo $i = $j; done\n",
                      "it answered \"1\" and then \"2\" to the same question");
  expect_failing_call(
      "while read i name n; do if [ $i -gt 3 ]; then echo $i = 9; else echo $i = $n; fi; "
      "done\n",
      "to the same question");
}

TEST(ExternalFunctions, ProgramsThatHangAreKilled) {
  expect_failing_call("sleep 100\n", "it did not answer within 0.3 s", {.time = 300ms});
  expect_failing_call("read line\necho 1 = 10\nsleep 100\n", "it did not answer within",
                      {.time = 300ms});
}

TEST(ExternalFunctions, ProgramsThatDieAreErrors) {
  expect_failing_call("read line\necho 'no memory' >&2\nexit 3\n",
                      "it ended with exit code 3: no memory");
  expect_failing_call("read line\nkill -SEGV $$\n", "it crashed (Segmentation fault)");
  expect_failing_call("read line\nexec >&-\nsleep 100\n", "it closed its output");
}

TEST(ExternalFunctions, ProgramsThatAnswerTwiceAreErrors) {
  expect_failing_call("while read i name n; do echo $i = $n; echo $i = $n; done\n",
                      "more than once");
  expect_failing_call("while read i name n; do printf \"$i = 1\\n$i = 1\\n\"; done\n",
                      "more than once");
  expect_failing_call("echo 1 = 1\n" + good_answers, "more than once");
}

TEST(ExternalFunctions, ProgramsThatFloodAreErrors) {
  expect_failing_call("read line\nwhile true; do printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done\n",
                      "its answer has more than 4096 bytes");
  expect_failing_call("read line\nwhile true; do echo 1 = 1; done\n", "more than once");
  expect_failing_call("while true; do echo noise >&2; done\n", "it did not answer within",
                      {.time = 300ms});
}

TEST(ExternalFunctions, AfterAFailureEveryCallFails) {
  const TemporaryFolder folder;
  const auto with =
      with_functions(finance_rules(), {{"finance", function_script(folder, "read line\nexit 4\n")}},
                     {})
          .value();
  gdl::ExternalModule& module = *with->external->by_name.at("finance");
  const std::vector<std::string> input{"1"}, other{"2"};
  EXPECT_THROW(module.call("grow", input), base::LimitReached);
  ASSERT_TRUE(module.failure());
  try {
    module.call("grow", other);
    FAIL();
  } catch (const base::LimitReached& reached) {
    EXPECT_EQ(reached.what(), module.failure()->message);
  }
}

TEST(ExternalFunctions, TheMemoryOfProgramsIsLimited) {
  const std::string greedy =
      "import sys\nfor line in sys.stdin:\n    data = bytearray(1 << 29)\n    "
      "print(line.split()[0], '= 1', "
      "flush=True)\n";
  const TemporaryFolder folder;
  const std::string path = function_script(folder, greedy, "/usr/bin/env python3");
  for (const std::size_t gigabytes : {std::size_t{4}, std::size_t{0}}) {
    FunctionLimits limits;
    limits.memory_bytes = gigabytes ? gigabytes << 30 : std::size_t{1} << 28;
    const auto with = with_functions(finance_rules(), {{"finance", path}}, {.limits = limits});
    ASSERT_TRUE(with) << with.error().message;
    gdl::ExternalModule& module = *(*with)->external->by_name.at("finance");
    const std::vector<std::string> input{"1"};
    if (gigabytes) {
      EXPECT_EQ(module.call("grow", input), "1");
    } else {
      EXPECT_THROW(module.call("grow", input), base::LimitReached);
      EXPECT_NE(module.failure()->message.find("MemoryError"), std::string::npos)
          << module.failure()->message;
    }
  }
}

// What a Python program can do; the answers are names of errors.
std::string python_tries(const std::string& attempt) {
  return "import ctypes, os, socket, sys\ndef attempt():\n    try:\n        " + attempt +
         "\n        return 'done'\n    except OSError as error:\n        return "
         "type(error).__name__\nfor line in sys.stdin:\n    print(line.split()[0], '=', attempt(), "
         "flush=True)\n";
}

std::string answer_of_python(const std::string& attempt) {
  const TemporaryFolder folder;
  const std::string path = function_script(folder, python_tries(attempt), "/usr/bin/env python3");
  const auto with = with_functions(finance_rules(), {{"finance", path}}, {});
  if (!with) return with.error().message;
  const std::vector<std::string> input{"1"};
  return (*with)->external->by_name.at("finance")->call("grow", input).value_or("none");
}

TEST(ExternalFunctions, TheEnvironmentOfProgramsIsEmpty) {
  ::setenv("ZERMELO_SECRET", "secret", 1);
  EXPECT_EQ(answer_of_python("assert open('/proc/self/environ').read() == ''"), "done");
  ::unsetenv("ZERMELO_SECRET");
}

TEST(ExternalFunctions, ProgramsHaveNoNetwork) {
  EXPECT_EQ(answer_of_python("pass"), "done");
  for (const char* family : {"AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"}) {
    EXPECT_EQ(answer_of_python(std::string("socket.socket(socket.") + family + ")"),
              "permissionerror")
        << family;
  }
  // Neither have the processes that they start.
  EXPECT_EQ(answer_of_python("assert os.system('" +
                             std::string("python3 -c \"import socket; socket.socket()\" "
                                         "2>/dev/null') != 0")),
            "done");
}

// A socket of this process would be a way around the sandbox.
TEST(ExternalFunctions, ProgramsInheritNoFiles) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_GE(socket, 0);
  EXPECT_EQ(answer_of_python("os.fstat(" + std::to_string(socket) + ")"), "oserror");
  ::close(socket);
}

TEST(ExternalFunctions, ProgramsCannotReachIntoOtherProcesses) {
  const std::string parent = "os.getppid()";
  // PTRACE_ATTACH is 16.
  EXPECT_EQ(answer_of_python("if ctypes.CDLL(None, use_errno=True).ptrace(16, " + parent +
                             ", 0, 0) != 0: raise PermissionError()"),
            "permissionerror");
  EXPECT_EQ(answer_of_python("os.setsid()"), "permissionerror");
}

bool is_running(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return status >> number >> name >> state && state != "Z";
}

TEST(ExternalFunctions, WhatProgramsStartedEndsWithThem) {
  const TemporaryFolder folder;
  const std::string file = file_in(folder, "child");
  {
    const auto with =
        with_functions(finance_rules(),
                       {{"finance", function_script(folder, "sleep 1000 &\necho $! > " + file +
                                                                "\n" + good_answers)}},
                       {})
            .value();
    const std::vector<std::string> input{"1"};
    with->external->by_name.at("finance")->call("grow", input);
    pid_t child = 0;
    std::ifstream(file) >> child;
    ASSERT_TRUE(is_running(child));
  }
  pid_t child = 0;
  std::ifstream(file) >> child;
  for (int i = 0; i < 200 && is_running(child); ++i) ::usleep(10'000);
  EXPECT_FALSE(is_running(child));
}

// In a child process in which system call filters are refused, as on kernels without them.
TEST(ExternalFunctions, NothingRunsWithoutTheSandbox) {
  const TemporaryFolder folder;
  const std::string proof = file_in(folder, "proof");
  const std::string path = function_script(folder, "touch " + proof + "\n" + good_answers);
  const Rules game = finance_rules();
  const pid_t child = ::fork();
  if (child == 0) {
    std::array<sock_filter, 4> filter{
        {{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<unsigned>(offsetof(seccomp_data, nr))},
         {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_prctl},
         {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EINVAL},
         {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
    sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
    const auto with = with_functions(game, {{"finance", path}}, {});
    const bool refused = !with && with.error().kind == ErrorKind::not_applicable &&
                         with.error().message.find("seccomp") != std::string::npos;
    ::_exit(refused ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_FALSE(std::filesystem::exists(proof));
  EXPECT_TRUE(has_sandbox());
}

TEST(ExternalFunctions, OnlyWhatIsNamedRuns) {
  const TemporaryFolder folder;
  const std::string path = function_script(folder, good_answers);
  EXPECT_EQ(allowed_module_of("Finance=/a=b")->name, "finance");
  EXPECT_EQ(allowed_module_of("Finance=/a=b")->path, "/a=b");
  for (const char* wrong : {"finance", "=path", "finance=", ""}) {
    EXPECT_EQ(allowed_module_of(wrong).error().kind, ErrorKind::invalid_request) << wrong;
  }
  const auto other = with_functions(finance_rules(), {{"finances", path}}, {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::invalid_request);
  const auto twice = with_functions(finance_rules(), {{"finance", path}, {"finance", path}}, {});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().kind, ErrorKind::invalid_request);
  const auto missing = with_functions(finance_rules(), {{"finance", "/no/such/program"}}, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::unreadable_input);
  const auto nothing = reference::Reference::make(with_functions(finance_rules(), {}, {}).value());
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::not_applicable);
}

}  // namespace
}  // namespace zermelo::app

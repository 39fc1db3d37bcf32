#include "serve/player_messages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>

#include "serve/rules.h"

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;

// How much later than its clock says an answer may come where other processes keep the machine
// busy. A player that waits for something else is later than that.
constexpr auto busy_machine = 9s;

std::string start_of(const std::string& id, const std::string& role, const std::string& rules,
                     int start_clock = 1, int play_clock = 1) {
  return "(START " + id + " " + role + " (" + rules + ") " + std::to_string(start_clock) + " " +
         std::to_string(play_clock) + ")";
}

class PlayerTest : public ::testing::Test {
 protected:
  std::future<std::string> send(const std::string& message,
                                Clock::time_point arrived = Clock::now()) {
    auto promise = std::make_shared<std::promise<std::string>>();
    player_->receive(
        {message, arrived, [promise](const std::string& body) { promise->set_value(body); }});
    return promise->get_future();
  }
  std::string ask(const std::string& message) { return send(message).get(); }
  std::string start_tic_tac_toe(const std::string& id, const std::string& role = "x") {
    return ask(start_of(id, role, game_text("tic_tac_toe")));
  }

  static PlayerOptions options() {
    PlayerOptions options;
    options.max_time = 0.1s;
    return options;
  }
  std::unique_ptr<Player> player_ = std::make_unique<Player>(options());
};

TEST_F(PlayerTest, AnswersInfo) {
  EXPECT_EQ(ask("(INFO)"), "((name zermelo) (status available) (species alien))");
  EXPECT_EQ(ask("ping"), "ready");
  EXPECT_EQ(ask("(preview ((role x)) 5)"), "ready");
  EXPECT_EQ(start_tic_tac_toe("m"), "ready");
  EXPECT_EQ(ask("info"), "((name zermelo) (status busy) (species alien))");
  EXPECT_EQ(ask("(ping)"), "busy");
  EXPECT_EQ(ask("(STOP m NIL)"), "done");
  EXPECT_EQ(ask("info"), "((name zermelo) (status available) (species alien))");
}

TEST_F(PlayerTest, PlaysAndWins) {
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  const std::string first = ask("(PLAY m NIL)");
  EXPECT_EQ(first.rfind("(mark ", 0), 0u) << first;
  EXPECT_EQ(ask("(play m ((MARK 1 1) NOOP))"), "noop");
  EXPECT_EQ(ask("(play m (noop (mark 2 2)))").rfind("(mark ", 0), 0u);
  EXPECT_EQ(ask("(play m ((mark 1 2) noop))"), "noop");
  EXPECT_EQ(ask("(play m (noop (mark 3 1)))"), "(mark 1 3)");
  EXPECT_EQ(ask("(stop m ((mark 1 3) noop))"), "done");
}

// ggp-base is case-sensitive: it looks for the answer among the moves of its own rules.
TEST_F(PlayerTest, AnswersInTheSpellingOfTheRules) {
  ASSERT_EQ(
      ask(start_of("m", "WHITE",
                   "(role White) (legal white (moveUp 1 B)) (init now) (<= terminal (true then))"
                   "(<= (next THEN) (does white (MOVEUP 1 b))) (goal white 100)")),
      "ready");
  EXPECT_EQ(ask("(PLAY m NIL)"), "(moveUp 1 B)");
  EXPECT_EQ(ask("(STOP m ((moveUp 1 B)))"), "done");
}

TEST_F(PlayerTest, HasAMoveEvenIfTheClockIsZero) {
  ASSERT_EQ(ask(start_of("m", "x", game_text("tic_tac_toe"), 1, 0)), "ready");
  EXPECT_EQ(ask("(PLAY m NIL)").rfind("(mark ", 0), 0u);
}

TEST_F(PlayerTest, OtherMatchesGetBusy) {
  EXPECT_EQ(ask("(PLAY m NIL)"), "busy");
  EXPECT_EQ(ask("(STOP m NIL)"), "busy");
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  EXPECT_EQ(start_tic_tac_toe("m", "o"), "busy");
  EXPECT_EQ(start_tic_tac_toe("n"), "busy");
  EXPECT_EQ(ask("(PLAY n NIL)"), "busy");
  EXPECT_EQ(ask("(STOP n NIL)"), "busy");
  EXPECT_EQ(ask("(ABORT n)"), "busy");
  EXPECT_NE(ask("(PLAY m NIL)"), "busy");
  EXPECT_EQ(ask("(ABORT m)"), "aborted");
  EXPECT_EQ(start_tic_tac_toe("n"), "ready");
}

TEST_F(PlayerTest, IgnoresIllegalMoves) {
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  for (const char* moves : {"((mark 9 9) noop)", "(noop noop)", "(a)", "(a b c)", "((mark 1 1))"}) {
    EXPECT_EQ(ask(std::string("(PLAY m ") + moves + ")").rfind("(mark ", 0), 0u) << moves;
  }
  EXPECT_EQ(ask("(PLAY m ((mark 1 1) noop))"), "noop");
  EXPECT_EQ(ask("(PLAY m NIL)"), "noop");
}

// The same move is legal twice, and then another one.
constexpr const char* waiting_twice =
    "(role white) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)"
    "(<= (legal white wait) (not (true (step 3))))"
    "(<= (legal white three) (true (step 3)))"
    "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
    "(<= terminal (true (step 4))) (<= (goal white 100) terminal)";

TEST_F(PlayerTest, AMessageSentTwiceCountsOnce) {
  ASSERT_EQ(ask(start_of("m", "white", waiting_twice)), "ready");
  EXPECT_EQ(ask("(PLAY m NIL)"), "wait");
  const auto before = Clock::now();
  EXPECT_EQ(ask("(PLAY m (wait))"), "wait");
  EXPECT_EQ(send("(PLAY m (wait))", before).get(), "wait");
}

TEST_F(PlayerTest, TheSameMovesAfterTheAnswerAreNewMoves) {
  ASSERT_EQ(ask(start_of("m", "white", waiting_twice)), "ready");
  EXPECT_EQ(ask("(PLAY m NIL)"), "wait");
  EXPECT_EQ(ask("(PLAY m (wait))"), "wait");
  EXPECT_EQ(ask("(PLAY m (wait))"), "three");
}

// `one` is legal again after the first step, but `two` is better.
constexpr const char* one_two_three =
    "(role white) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)"
    "(<= (legal white one) (not (true (step 3))))"
    "(<= (legal white two) (true (step 2)))"
    "(<= (legal white three) (true (step 3)))"
    "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
    "(<= (next good) (does white two)) (<= (next good) (true good))"
    "(<= terminal (true (step 4))) (<= (goal white 100) (true good))"
    "(<= (goal white 0) (not (true good)))";

TEST_F(PlayerTest, TheSameMovesWithoutOurAnswerAreARepetition) {
  ASSERT_EQ(ask(start_of("m", "white", one_two_three)), "ready");
  EXPECT_EQ(ask("(PLAY m NIL)"), "one");
  EXPECT_EQ(ask("(PLAY m NIL)"), "one");
  EXPECT_EQ(ask("(PLAY m (one))"), "two");
  EXPECT_EQ(ask("(PLAY m (one))"), "two");
  EXPECT_EQ(ask("(PLAY m (two))"), "three");
}

TEST_F(PlayerTest, TheFirstPlayAgainGetsTheSameMove) {
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  const std::string first = ask("(PLAY m NIL)");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ask("(PLAY m NIL)"), first);
}

TEST_F(PlayerTest, TheSameStartAgainGetsTheSameAnswer) {
  const auto first = send(start_of("m", "x", game_text("tic_tac_toe")));
  const auto second = send(start_of("m", "x", game_text("tic_tac_toe")));
  EXPECT_EQ(start_tic_tac_toe("m"), "ready");
  ASSERT_NE(ask("(PLAY m NIL)"), "busy");
  EXPECT_EQ(start_tic_tac_toe("m"), "ready");
  EXPECT_EQ(ask("(PLAY m ((mark 1 1) noop))"), "noop");  // still the same match
}

TEST_F(PlayerTest, APlayDuringTheStartClockIsAnsweredWithinItsOwn) {
  player_ = std::make_unique<Player>(PlayerOptions());
  auto ready = send(start_of("m", "red", game_text("connect_four"), 600, 1));
  const auto begin = Clock::now();
  EXPECT_EQ(ask("(PLAY m NIL)").rfind("(drop ", 0), 0u);
  EXPECT_LT(Clock::now() - begin, 1s + busy_machine);
  EXPECT_EQ(ready.get(), "ready");
}

TEST_F(PlayerTest, AVanishedManagerBlocksNoLongerThanItsClock) {
  ASSERT_EQ(ask(start_of("m", "x", game_text("tic_tac_toe"), 1, 5)), "ready");
  const auto now = Clock::now();
  ASSERT_NE(send("(PLAY m NIL)", now).get(), "busy");
  EXPECT_EQ(send("(PING)", now + 5s).get(), "busy");
  EXPECT_EQ(send("(PING)", now + 7s).get(), "ready");
  const std::string start = start_of("n", "x", game_text("tic_tac_toe"));
  EXPECT_EQ(send(start, now + 5s).get(), "busy");
  EXPECT_EQ(send(start, now + 7s).get(), "ready");
}

// A game with 3000 roles, and moves with 3000 terms.
TEST_F(PlayerTest, JointMovesMayHaveThousandsOfTerms) {
  std::string rules = "(init start) (<= terminal (not (true start)))";
  std::string roles, moves, move = "(go";
  for (int i = 0; i < 3000; ++i) {
    roles += "(role r" + std::to_string(i) + ") (goal r" + std::to_string(i) + " 100) ";
    moves += i == 0 ? "" : " wait";
    move += " a";
  }
  rules += "(legal r0 " + move + ")) (<= (legal ?r wait) (role ?r) (distinct ?r r0))";
  rules += "(<= (next start) (true start) (not (true again)))";
  rules += "(<= (next again) (true start)) (<= (legal r0 second) (true again))";
  ASSERT_EQ(ask(start_of("m", "r1", roles + rules, 10, 10)), "ready");
  EXPECT_EQ(ask("(PLAY m NIL)"), "wait");
  EXPECT_EQ(ask("(PLAY m (" + move + ")" + moves + "))"), "wait");
  EXPECT_EQ(ask("(PLAY m (" + move + ")" + moves + "))"), "nil");
}

TEST_F(PlayerTest, UnplayableRulesAreRejected) {
  EXPECT_EQ(ask(start_of("m", "nobody", game_text("tic_tac_toe"))), "busy");
  EXPECT_EQ(ask(start_of("m", "white", "(role white)")), "busy");
  EXPECT_EQ(ask(start_of("m", "white", "(role white) (<= (legal white ?x) (not (true ?x)))")),
            "busy");
  EXPECT_EQ(ask("(PLAY m NIL)"), "busy");
  EXPECT_EQ(ask("(what is this"), "error");
  EXPECT_EQ(start_tic_tac_toe("m"), "ready");
}

TEST_F(PlayerTest, ASilentMatchIsAbandoned) {
  PlayerOptions impatient = options();
  impatient.patience = -10s;
  player_ = std::make_unique<Player>(impatient);
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  EXPECT_EQ(ask("(INFO)"), "((name zermelo) (status available) (species alien))");
  EXPECT_EQ(ask("(PING)"), "ready");
  EXPECT_NE(ask("(PLAY m NIL)"), "busy");  // no other match was requested meanwhile
  EXPECT_EQ(start_tic_tac_toe("n"), "ready");
  EXPECT_EQ(ask("(PLAY m NIL)"), "busy");
  EXPECT_EQ(ask("(INFO)"), "((name zermelo) (status available) (species alien))");
}

TEST_F(PlayerTest, PlaysGamesThatDoNotGroundInTime) {
  PlayerOptions slow = options();
  slow.memory_bytes = base::resident_bytes() + (200u << 20);
  player_ = std::make_unique<Player>(slow);
  ASSERT_EQ(ask(start_of("m", "white", too_large)), "ready");
  const auto begin = Clock::now();
  EXPECT_EQ(ask("(PLAY m NIL)").rfind("(go ", 0), 0u);
  EXPECT_LT(Clock::now() - begin, busy_machine + 1s);
  EXPECT_EQ(ask("(PLAY m ((go 0 1)))").rfind("(go ", 0), 0u);
  EXPECT_EQ(ask("(STOP m ((go 9 9)))"), "done");
}

std::size_t threads_now() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

void expect_threads_soon(std::size_t count) {
  const auto begin = Clock::now();
  while (threads_now() != count && Clock::now() - begin < 20s) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(threads_now(), count);
}

TEST_F(PlayerTest, NoThreadIsLeftAfterStopOrAbort) {
  const std::size_t before = threads_now();
  for (const char* end : {"(STOP m NIL)", "(ABORT m)"}) {
    ASSERT_EQ(ask(start_of("m", "white", too_large, 600, 600)), "ready");
    EXPECT_GT(threads_now(), before);
    EXPECT_NE(ask(end), "busy");
    expect_threads_soon(before);
    ASSERT_EQ(ask(start_of("m", "red", game_text("connect_four"), 600, 600)), "ready");
    ask("(PLAY m NIL)");
    EXPECT_NE(ask(end), "busy");
    expect_threads_soon(before);
  }
}

TEST_F(PlayerTest, ANewMatchCancelsTheGroundingOfAnAbandonedOne) {
  PlayerOptions impatient = options();
  impatient.patience = -10'000s;
  player_ = std::make_unique<Player>(impatient);
  ASSERT_EQ(start_tic_tac_toe("first"), "ready");
  const std::size_t with_one_match = threads_now();
  ASSERT_EQ(ask(start_of("m", "white", too_large, 600, 600)), "ready");
  ASSERT_EQ(start_tic_tac_toe("n"), "ready");
  expect_threads_soon(with_one_match);
}

std::string many_conditions() {
  std::string rule = "(<= (next (unused ?x)) (true (unused ?x))";
  for (int i = 0; i < 100'000; ++i) rule += "(n 1)";
  return game_text("tic_tac_toe") + numbers(2) + "(init (unused 1))" + rule + ")";
}

TEST_F(PlayerTest, AnswersInTimeForAnyRules) {
  PlayerOptions poor;
  poor.memory_bytes = base::resident_bytes() + (200u << 20);
  player_ = std::make_unique<Player>(poor);
  const std::size_t before = threads_now();
  for (const std::string& rules :
       {slow_start(4), slow_product(), many_conditions(), many_moves()}) {
    const auto begin = Clock::now();
    const std::string role = rules.find("(role us)") == std::string::npos ? "x" : "us";
    const std::string answer = ask(start_of("m", role, rules));
    EXPECT_LT(Clock::now() - begin, busy_machine + 1s) << rules.substr(0, 300);
    if (answer == "ready") {
      const auto asked = Clock::now();
      ask("(PLAY m NIL)");
      EXPECT_LT(Clock::now() - asked, busy_machine + 1s) << rules.substr(0, 300);
      EXPECT_EQ(ask("(ABORT m)"), "aborted");
    }
    EXPECT_LT(base::resident_bytes(), *poor.memory_bytes + (100u << 20));
    expect_threads_soon(before);
  }
}

TEST_F(PlayerTest, MatchesThatWereAbortedKeepNoThreads) {
  for (int i = 0; i < 20; ++i) {
    const auto started = send(start_of("m", "x", slow_product()));
    send("(ABORT m)").get();
    started.wait();
  }
  expect_threads_soon(1);
  EXPECT_EQ(start_tic_tac_toe("m"), "ready");
}

TEST_F(PlayerTest, RepeatedMessagesGetTheSameAnswer) {
  player_ = std::make_unique<Player>(PlayerOptions());
  ASSERT_EQ(ask(start_of("m", "white", game_text("breakthrough"))), "ready");
  std::vector<std::future<std::string>> answers;
  for (int i = 0; i < 6; ++i) answers.push_back(send("(PLAY m NIL)"));
  const std::string first = answers[0].get();
  EXPECT_EQ(first.rfind("(move ", 0), 0u) << first;
  for (std::size_t i = 1; i < answers.size(); ++i) EXPECT_EQ(answers[i].get(), first);
}

TEST_F(PlayerTest, TheLogIsSafeToShow) {
  PlayerOptions logging = options();
  std::mutex mutex;
  std::vector<std::string> lines;
  logging.log = [&](const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
  };
  player_ = std::make_unique<Player>(logging);
  ASSERT_EQ(start_tic_tac_toe("\033[2Jm"), "ready");
  ask("(PLAY \033[2Jm (" + std::string(100'000, 'a') + " noop))");
  EXPECT_EQ(start_tic_tac_toe(std::string(257, 'm')), "error");
  player_.reset();
  EXPECT_GE(lines.size(), 3u);
  for (const std::string& line : lines) {
    EXPECT_LT(line.size(), 500u);
    EXPECT_EQ(line.find('\033'), std::string::npos);
  }
}

TEST_F(PlayerTest, KeepsAMarginOfItsClocks) {
  EXPECT_DOUBLE_EQ(safety_margin(1s).count(), 0.2);
  EXPECT_DOUBLE_EQ(safety_margin(60s).count(), 1);
  player_ = std::make_unique<Player>(PlayerOptions());
  const auto begin = Clock::now();
  ASSERT_EQ(ask(start_of("m", "red", game_text("connect_four"))), "ready");
  EXPECT_LT(Clock::now() - begin, 10s);
  const auto asked = Clock::now();
  EXPECT_EQ(ask("(PLAY m NIL)").rfind("(", 0), 0u);
  EXPECT_LT(Clock::now() - asked, busy_machine + 1s);
  EXPECT_GT(Clock::now() - asked, 0.5s);
}

// ---- Hidden information

TEST_F(PlayerTest, PlaysWithWhatItSees) {
  ASSERT_EQ(ask(start_of("m", "second", game_text("hidden/kuhn_poker"), 5, 5)), "ready");
  EXPECT_EQ(ask("(PLAY m 0 NIL NIL)"), "noop");
  EXPECT_EQ(ask("(PLAY m 1 NOOP ())"), "noop");
  EXPECT_EQ(ask("(PLAY m 2 NOOP ((CARD KING)))"), "noop");
  EXPECT_EQ(ask("(PLAY m 2 NOOP ((CARD KING)))"), "noop");  // sent twice
  EXPECT_EQ(ask("(PLAY m 3 noop ((did first bet)))"), "call");
  EXPECT_EQ(ask("(STOP m 4 call ((shown first queen)))"), "done");
  // With the jack it folds. This manager sends what is seen in the place of the moves.
  ASSERT_EQ(ask(start_of("n", "second", game_text("hidden/kuhn_poker"), 5, 5)), "ready");
  EXPECT_EQ(ask("(PLAY n NIL)"), "noop");
  EXPECT_EQ(ask("(PLAY n ())"), "noop");
  EXPECT_EQ(ask("(PLAY n ((card jack)))"), "noop");
  EXPECT_EQ(ask("(PLAY n ((did first bet)))"), "fold");
  EXPECT_EQ(ask("(STOP n NIL)"), "done");
}

TEST_F(PlayerTest, RefusesRolesThatNobodyPlays) {
  EXPECT_EQ(ask(start_of("m", "random", game_text("hidden/kuhn_poker"), 5, 5)), "busy");
  EXPECT_EQ(ask(start_of("m", "third", game_text("hidden/kuhn_poker"), 5, 5)), "busy");
}

// Percepts that the rules do not have cannot be followed.
TEST_F(PlayerTest, HasNoMoveAfterImpossiblePercepts) {
  ASSERT_EQ(ask(start_of("m", "second", game_text("hidden/kuhn_poker"), 5, 5)), "ready");
  EXPECT_EQ(ask("(PLAY m 0 NIL NIL)"), "noop");
  EXPECT_EQ(ask("(PLAY m 1 noop (wonder))"), "nil");
  EXPECT_EQ(ask("(PLAY m 2 noop ())"), "nil");
}

}  // namespace
}  // namespace zermelo::serve

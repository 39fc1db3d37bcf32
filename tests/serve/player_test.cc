#include "serve/player.h"

#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <sstream>

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;

std::string game_text(const std::string& name) {
  std::ifstream file(ZERMELO_ROOT "/games/" + name + ".kif");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string start_of(const std::string& id, const std::string& role, const std::string& rules,
                     int start_clock = 1, int play_clock = 1) {
  return "(START " + id + " " + role + " (" + rules + ") " + std::to_string(start_clock) + " " +
         std::to_string(play_clock) + ")";
}

class PlayerTest : public ::testing::Test {
 protected:
  std::future<std::string> send(const std::string& message) {
    auto promise = std::make_shared<std::promise<std::string>>();
    player_->receive(
        {message, Clock::now(), [promise](const std::string& body) { promise->set_value(body); }});
    return promise->get_future();
  }
  std::string ask(const std::string& message) { return send(message).get(); }
  std::string start_tic_tac_toe(const std::string& id, const std::string& role = "x") {
    return ask(start_of(id, role, game_text("tic_tac_toe")));
  }

  static PlayerOptions options() {
    PlayerOptions options;
    options.most_time = 0.1s;
    return options;
  }
  std::unique_ptr<Player> player_ = std::make_unique<Player>(options());
};

TEST_F(PlayerTest, SaysWhoItIs) {
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

TEST_F(PlayerTest, OtherMatchesGetBusy) {
  EXPECT_EQ(ask("(PLAY m NIL)"), "busy");
  EXPECT_EQ(ask("(STOP m NIL)"), "busy");
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  EXPECT_EQ(start_tic_tac_toe("m"), "busy");
  EXPECT_EQ(start_tic_tac_toe("n"), "busy");
  EXPECT_EQ(ask("(PLAY n NIL)"), "busy");
  EXPECT_EQ(ask("(STOP n NIL)"), "busy");
  EXPECT_EQ(ask("(ABORT n)"), "busy");
  EXPECT_NE(ask("(PLAY m NIL)"), "busy");
  EXPECT_EQ(ask("(ABORT m)"), "aborted");
  EXPECT_EQ(start_tic_tac_toe("n"), "ready");
}

TEST_F(PlayerTest, MovesThatAreNotLegalDoNotConfuseIt) {
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  for (const char* moves : {"((mark 9 9) noop)", "(noop noop)", "(a)", "(a b c)", "((mark 1 1))"}) {
    EXPECT_EQ(ask(std::string("(PLAY m ") + moves + ")").rfind("(mark ", 0), 0u) << moves;
  }
  EXPECT_EQ(ask("(PLAY m ((mark 1 1) noop))"), "noop");
  EXPECT_EQ(ask("(PLAY m NIL)"), "noop");
}

TEST_F(PlayerTest, AMessageSentTwiceCountsOnce) {
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  ask("(PLAY m NIL)");
  ask("(PLAY m ((mark 1 1) noop))");
  auto first = send("(PLAY m (noop (mark 2 2)))");
  auto second = send("(PLAY m (noop (mark 2 2)))");
  EXPECT_EQ(first.get().rfind("(mark ", 0), 0u);
  EXPECT_EQ(second.get().rfind("(mark ", 0), 0u);
  EXPECT_EQ(ask("(PLAY m ((mark 3 3) noop))"), "noop");
}

TEST_F(PlayerTest, WhatCannotBePlayedIsRefused) {
  EXPECT_EQ(ask(start_of("m", "nobody", game_text("tic_tac_toe"))), "busy");
  EXPECT_EQ(ask(start_of("m", "white", "(role white)")), "busy");
  EXPECT_EQ(ask(start_of("m", "white", "(role white) (<= (legal white ?x) (not (true ?x)))")),
            "busy");
  EXPECT_EQ(ask("(PLAY m NIL)"), "busy");
  EXPECT_EQ(ask("(what is this"), "error");
  EXPECT_EQ(start_tic_tac_toe("m"), "ready");
}

TEST_F(PlayerTest, ASilentMatchIsGivenUp) {
  PlayerOptions impatient = options();
  impatient.patience = -10s;
  player_ = std::make_unique<Player>(impatient);
  ASSERT_EQ(start_tic_tac_toe("m"), "ready");
  EXPECT_EQ(start_tic_tac_toe("n"), "ready");
  EXPECT_EQ(ask("(PLAY m NIL)"), "busy");
}

// A billion ground rules.
const char* const too_large =
    "(role white) (init (at 0 0 0 0 0 0 0))"
    "(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8)"
    "(digit 9)"
    "(<= (base (at ?a ?b ?c ?d ?e ?f ?g)) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e)"
    " (digit ?f) (digit ?g))"
    "(<= (legal white (go ?x ?y)) (digit ?x) (digit ?y))"
    "(<= (next (at ?x ?a ?b ?c ?d ?e ?y)) (true (at ?a ?b ?c ?d ?e ?f ?g)) (does white (go ?x ?y)))"
    "(<= (next done) (true (at ?a ?b ?c ?d ?e ?f ?g)) (distinct ?a 0))"
    "(<= terminal (true done))"
    "(<= (goal white 100) (true (at 9 ?a ?b ?c ?d ?e ?f)))"
    "(<= (goal white 0) (not (true (at 9 9 9 9 9 9 9))))";

TEST_F(PlayerTest, PlaysWhatDoesNotGroundInTime) {
  PlayerOptions slow = options();
  slow.memory_bytes = base::resident_bytes() + (200u << 20);
  player_ = std::make_unique<Player>(slow);
  ASSERT_EQ(ask(start_of("m", "white", too_large)), "ready");
  const auto begin = Clock::now();
  EXPECT_EQ(ask("(PLAY m NIL)").rfind("(go ", 0), 0u);
  EXPECT_LT(Clock::now() - begin, 1s);
  EXPECT_EQ(ask("(PLAY m ((go 0 1)))").rfind("(go ", 0), 0u);
  EXPECT_EQ(ask("(STOP m ((go 9 9)))"), "done");
}

TEST_F(PlayerTest, KeepsAMarginOfItsClocks) {
  EXPECT_DOUBLE_EQ(safety_margin(1s).count(), 0.2);
  EXPECT_DOUBLE_EQ(safety_margin(60s).count(), 1);
  player_ = std::make_unique<Player>(PlayerOptions());
  const auto begin = Clock::now();
  ASSERT_EQ(ask(start_of("m", "red", game_text("connect_four"))), "ready");
  EXPECT_LT(Clock::now() - begin, 1s);
  const auto asked = Clock::now();
  EXPECT_EQ(ask("(PLAY m NIL)").rfind("(", 0), 0u);
  EXPECT_LT(Clock::now() - asked, 1s);
  EXPECT_GT(Clock::now() - asked, 0.5s);
}

}  // namespace
}  // namespace zermelo::serve

#include "serve/referee.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "ground/ground.h"
#include "serve/message.h"
#include "serve/raw_client.h"
#include "serve/scrambler.h"
#include "support/load.h"

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;

struct LoadedGame {
  explicit LoadedGame(const std::string& name)
      : rules(testing::rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif")),
        simulator(*search::make_simulator(rules, {})) {}

  std::shared_ptr<const gdl::Rulesheet> rules;
  std::shared_ptr<const search::Simulator> simulator;
};

PlayerOptions quick_player(Seconds time = 0.03s) {
  PlayerOptions options;
  options.max_time = time;
  return options;
}

RefereeOptions quick_clocks() {
  RefereeOptions options;
  options.match_id = "match.1";
  options.start_clock = 1;
  options.play_clock = 1;
  return options;
}

// A player that gives the same answer to all messages.
class FixedPlayer {
 public:
  explicit FixedPlayer(std::string answer)
      : server_(std::move(*HttpServer::listen({}))),
        thread_([this, answer](const std::stop_token& stop) {
          const auto receive = [&](const Arrival& arrival) {
            if (!answer.empty()) arrival.reply(answer);
          };
          server_->run(message_handler(receive), stop);
        }) {}
  std::string address() const { return "127.0.0.1:" + std::to_string(server_->port()); }

 private:
  std::unique_ptr<HttpServer> server_;
  std::jthread thread_;
};

std::size_t faults(const Faults& faults) {
  return faults.late + faults.illegal + faults.unreachable + faults.unprepared;
}

TEST(Referee, AScrambledMatchOfTwoPlayers) {
  const LoadedGame game("tic_tac_toe");
  ServedPlayer x(quick_player()), o(quick_player());
  RefereeOptions options = quick_clocks();
  options.scramble = 5;
  const std::vector<Seat> seats = {*resolve(x.address()), *resolve(o.address())};
  const RefereeResult result = run_network_match(game.simulator, *game.rules, seats, options);
  EXPECT_TRUE(result.record.is_completed);
  EXPECT_EQ(faults(result.faults), 0u);
  ASSERT_EQ(result.record.goals.size(), 2u);
  EXPECT_EQ(result.record.goals[0] + result.record.goals[1], 100);
  ASSERT_GE(result.record.moves.size(), 5u);
  EXPECT_EQ(result.record.states.size(), result.record.moves.size() + 1);
  EXPECT_EQ(result.record.errors,
            std::vector(result.record.states.size(), std::vector<std::string>(2)));
  EXPECT_EQ(result.record.moves[0][0].rfind("(mark ", 0), 0u) << result.record.moves[0][0];
  EXPECT_EQ(ask(x.port(), "info"), "((name zermelo) (status available) (species alien))");
}

TEST(Referee, SimultaneousMovesAndARandomSeat) {
  const LoadedGame game("rock_paper_scissors");
  ServedPlayer player(quick_player());
  const std::vector<Seat> seats = {*resolve(player.address()), std::nullopt};
  const auto result = run_network_match(game.simulator, *game.rules, seats, quick_clocks());
  EXPECT_TRUE(result.record.is_completed);
  EXPECT_EQ(faults(result.faults), 0u);
  EXPECT_EQ(result.record.players[1], "random");
}

TEST(Referee, IllegalLateAndMissingPlayersAreReplaced) {
  const LoadedGame game("tic_tac_toe");
  FixedPlayer illegal("(mark 7 7)"), silent("");
  RefereeOptions options = quick_clocks();
  options.play_clock = 0;
  options.start_clock = 0;
  options.grace = 0.05s;
  std::vector<Seat> seats = {*resolve(illegal.address()), *resolve(silent.address())};
  const auto first = run_network_match(game.simulator, *game.rules, seats, options);
  EXPECT_TRUE(first.record.is_completed);
  EXPECT_EQ(first.faults.illegal, first.record.moves.size());
  EXPECT_EQ(first.faults.late, first.record.moves.size());
  EXPECT_EQ(first.faults.unprepared, 2u);
  EXPECT_EQ(first.record.errors.size(), first.record.states.size());
  EXPECT_EQ(first.record.errors[0], (std::vector<std::string>{"", "TO"}));  // for START
  EXPECT_EQ(first.record.errors[1], (std::vector<std::string>{"IL (mark 7 7)", "TO"}));

  seats[0] = Endpoint{"nobody:1", {}};
  const auto second = run_network_match(game.simulator, *game.rules, seats, options);
  EXPECT_EQ(second.faults.unreachable, second.record.moves.size());
  EXPECT_EQ(second.faults.unprepared, 2u);
  EXPECT_EQ(second.record.errors[0][0], "CE");
  EXPECT_EQ(second.record.errors[1][0], "CE");
}

TEST(Referee, AnIllegalMoveIsRecordedUnscrambled) {
  const LoadedGame game("tic_tac_toe");
  RefereeOptions options = quick_clocks();
  options.scramble = 5;
  FixedPlayer illegal(Scrambler(*game.rules, 5).scramble("(mark 7 7)"));
  const std::vector<Seat> seats = {*resolve(illegal.address()), std::nullopt};
  const auto result = run_network_match(game.simulator, *game.rules, seats, options);
  EXPECT_EQ(result.record.errors[1][0], "IL (mark 7 7)");
}

TEST(Referee, TheLogHasPrintableLinesOnly) {
  const LoadedGame game("tic_tac_toe");
  FixedPlayer evil("\x1b[2J\n(evil");
  std::vector<std::string> lines;
  std::mutex mutex;
  RefereeOptions options = quick_clocks();
  options.log = [&](const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
  };
  const std::vector<Seat> seats = {*resolve(evil.address()), std::nullopt};
  const auto result = run_network_match(game.simulator, *game.rules, seats, options);
  ASSERT_EQ(lines.size(), result.record.moves.size() + 1);
  EXPECT_NE(lines[1].find(": illegal move ?[2J?(evil at move 1; played (mark "), std::string::npos)
      << lines[1];
  EXPECT_EQ(result.record.errors[1][0], "IL \x1b[2J\n(evil");
}

// Everything that may arrive at a port open to the internet, again and again.
class Hostility {
 public:
  explicit Hostility(std::uint16_t port) : port_(port) {}

  void run(const std::stop_token& stop) {
    stall(1'000);
    while (!stop.stop_requested()) {
      trickle(100);
      for (const std::string& message : messages()) ask(port_, message);
      for (const std::string& request : requests()) {
        RawClient client(port_);
        client.send(request);
        if (request.size() % 2 == 0) client.receive(10);
      }
      send_much();
      // The second round begins after START: the player refuses one while a stranger's match is on.
      if (++rounds_ == 1) wait_for_match(stop);
    }
  }
  int rounds() const { return rounds_; }

 private:
  void stall(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      stalled_.emplace_back(port_).send(i % 2 == 0 ? "" : "POST / HTTP/1.0\r\nContent-Length: 9");
    }
  }
  void wait_for_match(const std::stop_token& stop) const {
    while (!stop.stop_requested() && ask(port_, "info").find("busy") == std::string::npos) {
      std::this_thread::sleep_for(1ms);
    }
  }
  // Sends one more byte on some stalled connections; closed ones connect again.
  void trickle(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      RawClient& client = stalled_[next_++ % stalled_.size()];
      if (!client.send("0")) client = RawClient(port_);
    }
  }

  static std::vector<std::string> messages() {
    return {"",
            "nonsense",
            "(START match.1 x ((role x)) 1 1)",
            "(START other x ((role x)) 1 1)",
            "(START other x ((role x)) 99999999999999999999 -1)",
            "(START)",
            "(START ((()))) ) (",
            "(PLAY match.1 (()) )",
            "(PLAY match.1 ((mark 1 1) noop) extra)",
            "(PLAY NIL match.1)",
            "(STOP match.1 NIL NIL)",
            "(STOP match.10 NIL)",
            "(ABORT)",
            "(ABORT match.1 NIL)",
            "PLAY match.1 NIL",
            "; (STOP match.1 NIL)",
            "(INFO INFO)",
            "\xff\xfe(STOP match.1 NIL)",
            "(PLAY other NIL)",
            "(STOP other NIL)",
            "(ABORT other)",
            "(PLAY match.1",
            "(PREVIEW ((role x)) 9)",
            std::string(100'000, '('),
            "(PLAY other " + std::string(100'000, 'a') + ")",
            "(START other x (" + std::string(50'000, '(') + std::string(50'000, ')') + ") 1 1)",
            std::string(1000, '\0'),
            "info"};
  }
  static std::vector<std::string> requests() {
    return {"",
            "\r\n\r\n",
            "GET / HTTP/1.0\r\n\r\n",
            "POST\r\n\r\n",
            "POST / HTTP/1.0\r\nContent-Length: -5\r\n\r\nhello",
            "POST / HTTP/1.0\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
            "POST / HTTP/1.0\nContent-Length: 4\n\ninfo and more",
            "POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nab",
            "POST / HTTP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            std::string(50'000, 'x'),
            std::string(20'000, '\xff')};
  }
  // Announces and sends 100 MB, as far as they are accepted.
  void send_much() {
    RawClient client(port_);
    client.send("POST / HTTP/1.0\r\nContent-Length: 100000000\r\n\r\n");
    const std::string piece(1'000'000, 'a');
    for (int i = 0; i < 100 && client.send(piece); ++i) {
    }
  }

  std::uint16_t port_;
  std::vector<RawClient> stalled_;
  std::size_t next_ = 0;  // index of the next connection to send a byte on
  std::atomic<int> rounds_ = 0;
};

// Both ends of a thousand connections are in this process.
void allow_many_files() {
  rlimit limit;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4'096);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
}

TEST(Referee, AMatchIsNotDisturbedByHostileInput) {
  allow_many_files();
  const LoadedGame game("connect_four");
  ServedPlayer x(quick_player(0.1s)), o(quick_player(0.1s));
  Hostility hostility(x.port());
  RefereeResult result;
  {
    std::jthread attack([&](const std::stop_token& stop) { hostility.run(stop); });
    const std::vector<Seat> seats = {*resolve(x.address()), *resolve(o.address())};
    while (hostility.rounds() == 0) std::this_thread::sleep_for(1ms);
    result = run_network_match(game.simulator, *game.rules, seats, quick_clocks());
  }
  EXPECT_GT(hostility.rounds(), 1);
  EXPECT_TRUE(result.record.is_completed);
  EXPECT_EQ(faults(result.faults), 0u);
}

// ---- Hidden information

// Writes down what it is told, and answers every PLAY with the same word.
class ListeningPlayer {
 public:
  ListeningPlayer()
      : server_(std::move(*HttpServer::listen({}))), thread_([this](const std::stop_token& stop) {
          const auto receive = [&](const Arrival& arrival) {
            const auto message = parse_message(arrival.body);
            if (message) messages_.push_back(*message);
            arrival.reply(message && message->kind == Message::Kind::start ? "ready" : "noop");
          };
          server_->run(message_handler(receive), stop);
        }) {}
  std::string address() const { return "127.0.0.1:" + std::to_string(server_->port()); }
  std::vector<Message> end() {
    thread_.request_stop();
    thread_.join();
    return messages_;
  }

 private:
  std::unique_ptr<HttpServer> server_;
  std::vector<Message> messages_;  // of the thread, until it has ended
  std::jthread thread_;
};

std::shared_ptr<const search::Simulator> hidden_simulator(
    const std::shared_ptr<const gdl::Rulesheet>& rules) {
  auto game = ground::ground(rules).value();
  return search::simulator_of(std::make_shared<const machine::Machine>(std::move(game)));
}

// Two players who only listen: `first` and `second` are told their own cards and moves, the moves
// of the other as far as they see them, and nothing else.
TEST(Referee, SendsEveryPlayerItsOwnPerceptsOnly) {
  const auto rules = testing::rulesheet_file(ZERMELO_ROOT "/games/hidden/kuhn_poker.kif");
  ListeningPlayer first, second;
  const std::vector<Seat> seats = {*resolve(first.address()), *resolve(second.address()),
                                   std::nullopt};
  const RefereeResult result =
      run_network_match(hidden_simulator(rules), *rules, seats, quick_clocks());
  ASSERT_TRUE(result.record.is_completed);
  EXPECT_EQ(result.record.players[2], "random");
  const auto& moves = result.record.moves;
  std::array<std::vector<Message>, 2> told = {first.end(), second.end()};
  for (std::size_t role = 0; role < 2; ++role) {
    ASSERT_EQ(told[role].size(), moves.size() + 2);  // START, a PLAY per joint move, STOP
    for (std::size_t turn = 0; turn <= moves.size(); ++turn) {
      const Message& message = told[role][turn + 1];
      EXPECT_EQ(message.turn, static_cast<int>(turn));
      EXPECT_TRUE(message.moves.empty());
      EXPECT_EQ(message.own_move, turn == 0 ? "" : moves[turn - 1][role]);
    }
    // The cards are dealt in turns 0 and 1, to the first and to the second.
    const std::string dealt = moves[role][2];
    const std::string card = "(card " + dealt.substr(std::string("(deal ").size());
    EXPECT_EQ(told[role][role + 2].percepts, std::vector<std::string>{card});
    EXPECT_TRUE(told[role][1 - role + 2].percepts.empty());
  }
}

}  // namespace
}  // namespace zermelo::serve

#include "serve/message.h"

#include <gtest/gtest.h>

namespace zermelo::serve {
namespace {

using MessageKind = Message::Kind;

Message parsed(const std::string& text) {
  const auto message = parse_message(text);
  EXPECT_TRUE(message) << text;
  return message.value_or(Message());
}

TEST(Message, InfoAndPingInAllForms) {
  for (const char* text : {"info", "INFO", "(info)", "( INFO )", " (Info)\r\n", "\t( iNFO\n)"}) {
    EXPECT_EQ(parsed(text).kind, MessageKind::info) << text;
  }
  for (const char* text : {"ping", "(PING)"})
    EXPECT_EQ(parsed(text).kind, MessageKind::ping) << text;
}

TEST(Message, Start) {
  const Message start = parsed(
      "(START Match.Id-1 White ((role white) (role black) ; all\n (<= terminal (true (Cell ?x)))) "
      "30 10)");
  EXPECT_EQ(start.kind, MessageKind::start);
  EXPECT_EQ(start.match_id, "Match.Id-1");
  EXPECT_EQ(start.role, "white");
  EXPECT_EQ(start.rules, "(role white) (role black) ; all\n (<= terminal (true (Cell ?x)))");
  EXPECT_EQ(start.start_clock, 30);
  EXPECT_EQ(start.play_clock, 10);
}

TEST(Message, Preview) {
  EXPECT_EQ(parsed("(preview ((role white)) 5)").kind, MessageKind::preview);
}

TEST(Message, PlayAndStop) {
  EXPECT_TRUE(parsed("(PLAY m NIL)").moves.empty());
  EXPECT_TRUE(parsed("(play m nil)").moves.empty());
  EXPECT_TRUE(parsed("(play m ())").moves.empty());
  const Message play = parsed("(Play M ((MARK 1  1) noop ( mark ( f ( A ) ) b )))");
  EXPECT_EQ(play.kind, MessageKind::play);
  EXPECT_EQ(play.match_id, "M");
  EXPECT_EQ(play.moves, (std::vector<std::string>{"(mark 1 1)", "noop", "(mark (f a) b)"}));
  EXPECT_EQ(parsed("(stop m (noop noop))").kind, MessageKind::stop);
  EXPECT_EQ(parsed("(stop m nil)").kind, MessageKind::stop);
  EXPECT_EQ(parsed("(aBort m)").kind, MessageKind::abort);
}

TEST(Message, OtherTextIsRejected) {
  for (const char* text : {"",
                           " ",
                           "(",
                           ")",
                           "()",
                           "(()",
                           "(())",
                           "((info))",
                           "(info info)",
                           "info info",
                           "(info",
                           "info)",
                           "(play)",
                           "(play m)",
                           "(play m noop)",
                           "(play m (noop)",
                           "(play (m) nil)",
                           "(play m nil nil)",
                           "(play m ((() a)))",
                           "(play m (((a) b)))",
                           "(start m white)",
                           "(start m white rules 1 1)",
                           "(start m white ((role white)) x 1)",
                           "(start m white ((role white)) -1 1)",
                           "(start m white ((role white)) 1 99999999999)",
                           "(start m white ((role white)) 1)",
                           "(preview)",
                           "(preview rules 1)",
                           "(abort)",
                           "(abort m n)",
                           "(abort (m))",
                           "(hello m)",
                           "\xff\xfe",
                           "GET / HTTP/1.0",
                           "; info"}) {
    EXPECT_FALSE(parse_message(text)) << text;
  }
  EXPECT_FALSE(parse_message(std::string("(info\0)", 7)));
}

TEST(Message, DeepTextsAreRejectedAndLongOnesRead) {
  const std::string deep(1'000'000, '(');
  EXPECT_FALSE(parse_message(deep));
  EXPECT_FALSE(parse_message("(play m (" + deep + "))"));
  EXPECT_FALSE(parse_message("(play m (" + deep + "a" + std::string(deep.size(), ')') + "))"));
  std::string many = "(play m (";
  for (int i = 0; i < 100'000; ++i) many += "a ";
  const auto read = parse_message(many + "))");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->moves.size(), 100'000u);
}

TEST(Message, RoundTrip) {
  Message start;
  start.kind = MessageKind::start;
  start.match_id = "x";
  start.role = "white";
  start.rules = "(role white)";
  start.start_clock = 3;
  start.play_clock = 2;
  EXPECT_EQ(parsed(write_start(start)).rules, start.rules);
  Message play;
  play.kind = MessageKind::play;
  play.match_id = "x";
  EXPECT_EQ(write_moves(play), "(PLAY x NIL)");
  play.moves = {"(mark 1 1)", "noop"};
  EXPECT_EQ(parsed(write_moves(play)).moves, play.moves);
  play.kind = MessageKind::stop;
  EXPECT_EQ(parsed(write_moves(play)).kind, MessageKind::stop);
}

// The messages of GDL-II: the turn, the player's own move, and what it saw.
TEST(Message, PerceptsOfOnePlayer) {
  const Message play = parsed("(PLAY M 3 (BET 2) ((card  King) DONE))");
  EXPECT_EQ(play.match_id, "M");
  EXPECT_EQ(play.turn, 3);
  EXPECT_EQ(play.own_move, "(bet 2)");
  EXPECT_EQ(play.percepts, (std::vector<std::string>{"(card king)", "done"}));
  EXPECT_TRUE(play.moves.empty());
  const Message first = parsed("(play m 0 NIL NIL)");
  EXPECT_EQ(first.turn, 0);
  EXPECT_EQ(first.own_move, "");
  EXPECT_TRUE(first.percepts.empty());
  EXPECT_EQ(parsed("(stop m 4 noop ())").kind, MessageKind::stop);
  for (const char* text : {"(play m x noop ())", "(play m -1 noop ())", "(play m 1 noop done)",
                           "(play m 1 () ())", "(play m 1 noop () ())", "(play m 1 noop)",
                           "(play m 1x noop ())", "(play m 99999999999 noop ())"})
    EXPECT_FALSE(parse_message(text)) << text;
}

TEST(Message, RoundTripOfPercepts) {
  Message play;
  play.kind = MessageKind::play;
  play.match_id = "x";
  play.turn = 0;
  EXPECT_EQ(write_moves(play), "(PLAY x 0 NIL NIL)");
  play.turn = 2;
  play.own_move = "noop";
  EXPECT_EQ(write_moves(play), "(PLAY x 2 noop ())");
  play.percepts = {"(card king)", "done"};
  EXPECT_EQ(parsed(write_moves(play)).percepts, play.percepts);
  EXPECT_EQ(parsed(write_moves(play)).own_move, "noop");
}

}  // namespace
}  // namespace zermelo::serve

#include "play/board.h"

#include <gtest/gtest.h>

#include "analysis/scene.h"
#include "gdl/rulesheet.h"

namespace zermelo::play {
namespace {

using Names = std::vector<std::string>;

// The picture of the last of some states.
analysis::Picture picture(const std::vector<Names>& states) {
  const gdl::Rulesheet no_rules;
  return analysis::Scene::of(no_rules, {{"x", "o"}, states}).depict(states.back());
}

std::string draw(const Names& fluents) { return boards_as_text(picture({fluents})); }

TEST(Board, LastRowOnTop) {
  const Names fluents = {"(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 o)",
                         "(control x)"};
  EXPECT_EQ(draw(fluents), "2 . o\n1 x .\n  1 2\n");
  EXPECT_EQ(beside_boards(picture({fluents})), Names{"(control x)"});
}

TEST(Board, NumbersAreSortedByValueAndLettersExplained) {
  Names fluents;
  for (const char* column : {"9", "10"}) {
    for (const char* row : {"a", "b"}) {
      fluents.push_back(std::string("(at ") + column + " " + row + " white)");
    }
  }
  fluents.push_back("(at 11 a wall)");
  EXPECT_EQ(draw(fluents), "a  W  W  w\nb  W  W  .\n   9 10 11\nw = wall\nW = white\n");
}

TEST(Board, EveryContentHasItsOwnLetter) {
  EXPECT_EQ(draw({"(at 1 1 paper)", "(at 2 1 pawn)", "(at 3 1 pea)", "(at 1 2 pe)", "(at 2 2 e)",
                  "(at 3 2 blank)"}),
            "2 E e .\n1 p P a\n  1 2 3\np = paper\nP = pawn\nE = pe\na = pea\n");
}

TEST(Board, RowsAndLettersComeFromAllStates) {
  EXPECT_EQ(
      boards_as_text(picture({{"(cell 1 1 black)", "(cell 2 1 b)", "(cell 2 3 b)", "(cell 1 3 b)"},
                              {"(cell 1 2 boar)"}})),
      "3 . .\n2 B .\n1 . .\n  1 2\nB = boar\n");
}

TEST(Board, NumbersAreReadFromTheTop) {
  EXPECT_EQ(draw({"(cell 1 1 1)", "(cell 2 1 2)", "(cell 1 2 3)", "(cell 2 2 hole)"}),
            "1 1 2\n2 3 h\n  1 2\nh = hole\n");
}

TEST(Board, HeapsAreALineEach) {
  EXPECT_EQ(draw({"(heap a 3)", "(heap b 12)", "(heap c 5)"}), "a 3\nb 12\nc 5\n");
}

TEST(Board, StacksStandOnTheirFeet) {
  EXPECT_EQ(draw({"(on disc1 disc2)", "(on disc2 disc3)", "(on disc3 peg1)", "(on disc4 peg2)"}),
            " disc1\n disc2\n disc3 disc4\n  peg1  peg2\n");
}

TEST(Board, OtherFluentsGiveNoBoard) {
  EXPECT_EQ(draw({"(control x)", "(step 1)"}), "");
  EXPECT_EQ(beside_boards(picture({{"p", "q"}})).size(), 2u);
}

}  // namespace
}  // namespace zermelo::play

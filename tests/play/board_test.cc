#include "play/board.h"

#include <gtest/gtest.h>

namespace zermelo::play {
namespace {

std::optional<std::string> draw(const std::vector<std::string>& fluents) {
  return draw_board(fluents, fluents);
}

TEST(Board, LastRowOnTop) {
  const std::vector<std::string> fluents = {"(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)",
                                            "(cell 2 2 o)", "(control x)"};
  EXPECT_EQ(draw_board(fluents, fluents), "2 . o\n1 x .\n  1 2\n");
  EXPECT_EQ(beside_board(fluents, fluents), std::vector<std::string>{"(control x)"});
}

TEST(Board, NumbersAreSortedByValueAndLettersExplained) {
  std::vector<std::string> fluents;
  for (const char* column : {"9", "10"}) {
    for (const char* row : {"a", "b"}) {
      fluents.push_back(std::string("(at ") + column + " " + row + " white)");
    }
  }
  fluents.push_back("(at 11 a wall)");
  EXPECT_EQ(draw_board(fluents, fluents),
            "b  W  W   \na  W  W  w\n   9 10 11\nw = wall\nW = white\n");
}

TEST(Board, EveryContentHasItsOwnLetter) {
  const std::vector<std::string> fluents = {"(at 1 1 paper)", "(at 2 1 pawn)", "(at 3 1 pea)",
                                            "(at 1 2 pe)",    "(at 2 2 e)",    "(at 3 2 blank)"};
  EXPECT_EQ(draw_board(fluents, fluents),
            "2 E e .\n1 p P a\n  1 2 3\np = paper\nP = pawn\nE = pe\na = pea\n");
}

TEST(Board, RowsAndLettersComeFromAllPossibleFluents) {
  const std::vector<std::string> possible = {"(cell 1 1 black)", "(cell 1 2 boar)", "(cell 2 3 b)"};
  EXPECT_EQ(draw_board({"(cell 1 2 boar)"}, possible), "3    \n2 B  \n1    \n  1 2\nB = boar\n");
}

TEST(Board, NumbersAreReadFromTheTop) {
  EXPECT_EQ(draw({"(cell 1 1 1)", "(cell 2 1 2)", "(cell 1 2 3)", "(cell 2 2 hole)"}),
            "1 1 2\n2 3 h\n  1 2\nh = hole\n");
}

TEST(Board, OtherFluentsGiveNoBoard) {
  EXPECT_EQ(draw({"(control x)", "(step 1)"}), std::nullopt);
  EXPECT_EQ(draw({"(on 1 2 a)", "(on 1 2 c)", "(on 2 1 a)"}), std::nullopt);
  EXPECT_EQ(draw({"(cell 1 (f 2) a)", "(cell 2 (f 1) a)"}), std::nullopt);
  EXPECT_EQ(beside_board({"p", "q"}, {"p", "q"}).size(), 2u);
}

}  // namespace
}  // namespace zermelo::play

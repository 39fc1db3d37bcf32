#include "cli/style.h"

#include <gtest/gtest.h>

#include "cli/line_reader.h"

namespace zermelo::cli {
namespace {

TEST(Painter, WritesEscapesOnlyIfColoured) {
  EXPECT_EQ(Painter(false)(Style::bold, "x"), "x");
  EXPECT_EQ(Painter(true)(Style::bold, "x"), "\033[1mx\033[0m");
  EXPECT_EQ(Painter(true)(Style::plain, "x"), "x");
  EXPECT_EQ(Painter(true)(Style::bold, ""), "");
}

// Without its escape sequences, which all end with an m.
std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

TEST(Painter, KindsOfPiecesHaveColoursOfTheirOwn) {
  const std::string board = "10 . x x\n 9 o . o\n   1 2 3\n";
  EXPECT_EQ(Painter(false).board(board), board);
  const std::string painted = Painter(true).board(board);
  EXPECT_EQ(without_escapes(painted), board);
  const Painter paint(true);
  EXPECT_NE(painted.find(paint(Style::dim, "10") + " " + paint(Style::dim, ".") + " " +
                         paint(Style::yellow, "x")),
            std::string::npos)
      << painted;
  EXPECT_NE(painted.find(paint(Style::cyan, "o")), std::string::npos) << painted;
  EXPECT_NE(painted.find(paint(Style::dim, "1")), std::string::npos) << painted;
}

TEST(LineReader, CompletionsHaveACommonBeginning) {
  EXPECT_EQ(common_beginning({}), "");
  EXPECT_EQ(common_beginning({"(mark 1 1)"}), "(mark 1 1)");
  EXPECT_EQ(common_beginning({"(mark 1 1)", "(mark 1 2)", "(mark 1 23)"}), "(mark 1 ");
  EXPECT_EQ(common_beginning({"ab", "a", "abc"}), "a");
}

}  // namespace
}  // namespace zermelo::cli

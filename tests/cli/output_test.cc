#include "cli/output.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/command.h"
#include "cli/exit_code.h"

namespace zermelo::cli {
namespace {

TEST(Grouped, EveryThreeDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "error"), "0 errors");
  EXPECT_EQ(counted(1, "error"), "1 error");
  EXPECT_EQ(counted(2000, "error"), "2,000 errors");
}

TEST(NameValueLines, AlignsValues) {
  EXPECT_EQ(name_value_lines({{"a", "1"}, {"long name", "2"}}), "a          1\nlong name  2\n");
}

TEST(NameValueLines, LongValuesContinueWithin100Columns) {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word" + std::to_string(i) + " ";
  std::istringstream lines(name_value_lines({{"name", words}}));
  std::string line, rejoined;
  for (int number = 0; std::getline(lines, line); ++number) {
    EXPECT_LE(line.size(), 100u);
    EXPECT_EQ(line.substr(0, 6), number == 0 ? "name  " : "      ");
    rejoined += line.substr(6) + (line.back() == ' ' ? "" : " ");
  }
  EXPECT_EQ(rejoined, words);
}

// Lines of moves break before a number, and nowhere else.
TEST(NameValueLines, AMoveStaysWithItsNumberOnOneLine) {
  for (std::size_t length = 1; length < 40; ++length) {
    std::string moves;
    for (int i = 1; i < 40; ++i) {
      moves += std::to_string(i) + ". (mark " + std::string(length, 'a') + " 2) ";
    }
    moves.pop_back();
    std::istringstream lines(name_value_lines({{"line", moves}}));
    std::string line;
    for (int number = 0; std::getline(lines, line); ++number) {
      EXPECT_LE(line.size(), 100u);
      EXPECT_NE(std::string("0123456789").find(line[6]), std::string::npos) << line;
      EXPECT_EQ(line.back(), ')') << line;
    }
  }
}

TEST(NameValueLines, AWordLongerThanALineStaysWhole) {
  const std::string word(150, 'x');
  EXPECT_EQ(name_value_lines({{"n", word + " y"}}), "n  " + word + "\n   y\n");
}

TEST(Columns, RightAligned) {
  EXPECT_EQ(columns({"n", "count"}, {{"1", "9"}, {"10", "1,000,000"}}),
            " n      count\n 1          9\n10  1,000,000\n");
}

TEST(ExitCodeOf, IsWhatTheManualPromises) {
  EXPECT_EQ(static_cast<int>(exit_code_of(base::ErrorKind::unreadable_input)), 3);
  EXPECT_EQ(static_cast<int>(exit_code_of(base::ErrorKind::invalid_rules)), 3);
  EXPECT_EQ(static_cast<int>(exit_code_of(base::ErrorKind::not_applicable)), 4);
  EXPECT_EQ(static_cast<int>(exit_code_of(base::ErrorKind::memory_limit)), 5);
  EXPECT_EQ(static_cast<int>(exit_code_of(base::ErrorKind::time_limit)), 6);
}

TEST(Commands, EachHasADescriptionAndAnExampleOfItself) {
  for (const Command* command : commands()) {
    EXPECT_STRNE(command->description, "") << command->name;
    const std::string beginning = "zermelo " + std::string(command->name) + " ";
    EXPECT_EQ(std::string(command->example).rfind(beginning, 0), 0u) << command->name;
  }
}

}  // namespace
}  // namespace zermelo::cli

#include "serve/log_line.h"

#include <gtest/gtest.h>

namespace zermelo::serve {
namespace {

TEST(LogLine, UnprintableBytesAreReplaced) {
  EXPECT_EQ(log_line("(mark 1 1) ~"), "(mark 1 1) ~");
  EXPECT_EQ(log_line("a\nb\r\033[2Jc\t\x7f\xc3\xa4"), "a?b??[2Jc????");
}

TEST(LogLine, LongTextsAreCut) {
  EXPECT_EQ(log_line(std::string(400, 'a')), std::string(400, 'a'));
  EXPECT_EQ(log_line(std::string(401, 'a')), std::string(400, 'a') + "...");
}

}  // namespace
}  // namespace zermelo::serve

#include "base/quantities.h"

#include <gtest/gtest.h>

namespace zermelo::base {
namespace {

TEST(ParseSize, UnitsArePowersOf1024) {
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("100k"), 100u << 10);
  EXPECT_EQ(parse_size("512M"), 512u << 20);
  EXPECT_EQ(parse_size("8G"), std::size_t{8} << 30);
  EXPECT_EQ(parse_size("1.5GiB"), std::size_t{3} << 29);
  EXPECT_EQ(parse_size("0"), 0u);
}

TEST(ParseSize, RejectsOtherText) {
  for (const char* text :
       {"", "G", "-1G", "8 G", "8X", "8GG", "1e3", "inf", "nan", "0x10", "99999999T"}) {
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
  }
}

TEST(ParseDuration, Units) {
  EXPECT_DOUBLE_EQ(parse_duration("60s")->count(), 60);
  EXPECT_DOUBLE_EQ(parse_duration("60")->count(), 60);
  EXPECT_DOUBLE_EQ(parse_duration("1.5m")->count(), 90);
  EXPECT_DOUBLE_EQ(parse_duration("2h")->count(), 7200);
  EXPECT_DOUBLE_EQ(parse_duration("250ms")->count(), 0.25);
}

TEST(ParseDuration, RejectsOtherText) {
  for (const char* text : {"", "s", "-1s", "1d", "1s2", "inf", "nan", "1e5", "99999999999h"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace zermelo::base

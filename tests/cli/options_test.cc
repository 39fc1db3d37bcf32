#include "cli/options.h"

#include <gtest/gtest.h>

namespace zermelo::cli {
namespace {

TEST(LimitOptions, TimeCountsFromStart) {
  LimitOptions options;
  options.time = std::chrono::duration<double>(0);
  EXPECT_EQ(options.start().exceeded(), base::ErrorKind::time_limit);
  options.time = std::chrono::hours(1);
  EXPECT_EQ(options.start().exceeded(), std::nullopt);
}

TEST(LimitOptions, MemoryIsThatOfTheProcess) {
  LimitOptions options;
  EXPECT_EQ(options.start().exceeded(), std::nullopt);
  options.memory_bytes = 1;
  EXPECT_EQ(options.start().exceeded(), base::ErrorKind::memory_limit);
}

}  // namespace
}  // namespace zermelo::cli

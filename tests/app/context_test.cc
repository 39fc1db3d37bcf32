#include "app/context.h"

#include <gtest/gtest.h>

namespace zermelo::app {
namespace {

TEST(ResourceLimits, TimeCountsFromStart) {
  ResourceLimits limits;
  limits.time = std::chrono::duration<double>(0);
  EXPECT_EQ(limits.start({}).exceeded(), base::ErrorKind::time_limit);
  EXPECT_EQ(limits.start_time({}).exceeded(), base::ErrorKind::time_limit);
  limits.time = std::chrono::hours(1);
  EXPECT_EQ(limits.start({}).exceeded(), std::nullopt);
}

TEST(ResourceLimits, MemoryIsThatOfTheProcess) {
  ResourceLimits limits;
  EXPECT_EQ(limits.start({}).exceeded(), std::nullopt);
  limits.memory_bytes = 1;
  EXPECT_EQ(limits.start({}).exceeded(), base::ErrorKind::memory_limit);
  EXPECT_EQ(limits.start_time({}).exceeded(), std::nullopt);
}

TEST(ResourceLimits, CancellationEndsLikeTheTimeLimit) {
  std::stop_source source;
  const Context context{{}, source.get_token()};
  const base::Limits all = ResourceLimits().start(context);
  const base::Limits time = ResourceLimits().start_time(context);
  EXPECT_EQ(all.exceeded(), std::nullopt);
  EXPECT_EQ(time.exceeded(), std::nullopt);
  source.request_stop();
  EXPECT_EQ(all.exceeded(), base::ErrorKind::time_limit);
  EXPECT_EQ(time.exceeded(), base::ErrorKind::time_limit);
}

}  // namespace
}  // namespace zermelo::app

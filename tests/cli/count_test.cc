#include <gtest/gtest.h>

#include "cli/count_engines.h"
#include "support/load_game.h"

namespace zermelo::cli {
namespace {

TEST(Count, WhatWasEnumeratedIsToldWhenDiagramsReachALimit) {
  for (const char* last :
       {"ordering variables", "building relations", "layer 0, 1 states, 25 nodes"}) {
    SCOPED_TRACE(last);
    bool ends = false;
    CountRequest request;
    request.memory_bytes = std::size_t{1} << 30;
    request.limits.end_when([&] { return ends; });
    request.say = [&](const std::string& activity) { ends = ends || activity == last; };
    const auto counted = count_states(testing::generated("connect-four", {"5", "5"}), request);
    ASSERT_TRUE(ends);
    ASSERT_TRUE(counted);
    ASSERT_TRUE(counted->stopped);
    EXPECT_EQ(counted->stopped->kind, base::ErrorKind::time_limit);
    EXPECT_EQ(counted->engine, "explicit");
    EXPECT_EQ(counted->states, "100153");  // whole layers, of no more than 200,000 states
  }
}

}  // namespace
}  // namespace zermelo::cli

// Replays the fuzzer's seed corpus and every input that once failed.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/check_input.h"

namespace zermelo::gdl {
namespace {

void replay(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".gdl") continue;
    const auto source = base::read_source(entry.path());
    ASSERT_TRUE(source) << entry.path();
    EXPECT_EQ(check_input(std::string(source->text())), "") << entry.path();
  }
}

TEST(Replay, SeedCorpus) { replay(ZERMELO_ROOT "/tests/fuzz/corpus"); }
TEST(Replay, FoundInputs) { replay(ZERMELO_ROOT "/tests/found"); }

}  // namespace
}  // namespace zermelo::gdl

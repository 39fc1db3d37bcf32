// Inputs that once broke the reader of .toss files, and the shipped games, pass what the fuzzer
// checks.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/check_toss_input.h"

namespace zermelo::toss {
namespace {

void replay(const std::filesystem::path& folder) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto source = base::read_source(entry.path());
    ASSERT_TRUE(source) << entry.path();
    EXPECT_EQ(check_input(std::string(source->text())), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

TEST(TossReplay, FoundInputs) { replay(ZERMELO_ROOT "/tests/toss/found"); }
TEST(TossReplay, ShippedGames) { replay(ZERMELO_ROOT "/games/toss"); }

}  // namespace
}  // namespace zermelo::toss

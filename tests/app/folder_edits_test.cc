#include "fuzz/folder_edits.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "solve/stored_game.h"

namespace zermelo::app {
namespace {

// A short run of the fuzzer, with random bytes.
TEST(FolderEdits, NoContentOfAFolderMisleads) {
  const solve::TemporaryFolder folder;
  fuzz::FolderEdits edits(folder.path());
  for (const std::string& answer : edits.answers()) ASSERT_FALSE(answer.empty());
  base::Random random(1);
  for (int run = 0; run < 600; ++run) {
    std::vector<std::uint8_t> data(1 + 5 * (1 + random.below(3)));
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random.below(256));
    EXPECT_EQ(edits.check(data), "") << "run " << run;
  }
}

// What the fuzzer found.
TEST(FolderEdits, FoundInputsStayFixed) {
  const std::filesystem::path found = ZERMELO_ROOT "/tests/app/found";
  if (!std::filesystem::exists(found)) GTEST_SKIP() << "the fuzzer has found nothing";
  const solve::TemporaryFolder folder;
  fuzz::FolderEdits edits(folder.path());
  for (const auto& entry : std::filesystem::directory_iterator(found)) {
    const std::string text = fuzz::read_file(entry.path());
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    EXPECT_EQ(edits.check({bytes, text.size()}), "") << entry.path();
  }
}

}  // namespace
}  // namespace zermelo::app

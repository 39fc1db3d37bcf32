#include "solve/folder/plot.h"

#include "solve/stored_game.h"

namespace zermelo::solve {
namespace {

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(Plot, HasABarForEveryValueOfEveryLayer) {
  const TemporaryFolder folder;
  store_in(folder, solved(generated("clobber", {"1", "6"})));
  const auto manifest = folder.folder().manifest();
  ASSERT_TRUE(manifest);
  std::size_t bars = 0;
  for (const StoredLayer& layer : manifest->layers) {
    for (const std::string& states : layer.by_value) bars += states != "0";
  }
  const std::string picture = plot(*folder.folder().description(), *manifest);
  EXPECT_EQ(occurrences(picture, "<title>layer "), bars);
  EXPECT_EQ(occurrences(picture, "<title>layer 0: 1 states with 0/100"), 1u);
  EXPECT_EQ(occurrences(picture, "<polyline"), 1u);
  EXPECT_EQ(picture.substr(picture.size() - 7), "</svg>\n");
}

}  // namespace
}  // namespace zermelo::solve

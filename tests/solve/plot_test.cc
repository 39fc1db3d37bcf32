#include "solve/folder/plot.h"

#include "solve/stored_game.h"

namespace zermelo::solve {
namespace {

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(Plot, HasABarForEveryLayerAndEveryValueOfEveryLayer) {
  const TemporaryFolder folder;
  store_in(folder, solved(generated("clobber", {"1", "6"})));
  const auto manifest = folder.folder().manifest();
  ASSERT_TRUE(manifest);
  std::size_t bars = manifest->layers.size();
  for (const StoredLayer& layer : manifest->layers) {
    for (const std::string& states : layer.by_value) bars += states != "0";
  }
  const std::string picture = plot(*folder.folder().description(), *manifest, "clobber");
  EXPECT_EQ(occurrences(picture, "<title>layer "), bars);
  EXPECT_EQ(occurrences(picture, "<title>layer 0: 1 states</title>"), 1u);
  EXPECT_EQ(occurrences(picture, "<title>layer 0: 1 states (100.0%) with white 0, black 100"), 1u);
  EXPECT_EQ(occurrences(picture, "<polyline"), 1u);
  EXPECT_EQ(picture.substr(picture.size() - 7), "</svg>\n");
}

// Numbers of a bar: x, y, width and height.
std::vector<double> bar_with(const std::string& picture, const std::string& title) {
  const std::size_t begin = picture.rfind("<rect", picture.find("<title>" + title));
  std::vector<double> numbers;
  for (const char* name : {"x=\"", "y=\"", "width=\"", "height=\""}) {
    const std::size_t at = picture.find(name, begin) + std::string(name).size();
    numbers.push_back(std::stod(picture.substr(at)));
  }
  return numbers;
}

// A made-up solution of a layer of 1000 states, 900 of them won, and one of 10, one of them won.
std::string picture_of_two_layers(const std::vector<std::string>& roles) {
  Description description;
  description.roles = roles;
  description.outcomes = {{0, 100}, {100, 0}};
  Manifest manifest;
  manifest.layers.resize(2);
  manifest.layers[0].states = "1000";
  manifest.layers[0].by_value = {"100", "900"};
  manifest.layers[0].nodes = 10;
  manifest.layers[1].states = "10";
  manifest.layers[1].by_value = {"9", "1"};
  manifest.layers[1].nodes = 5;
  return plot(description, manifest, "made <up>");
}

// Shares are heights of one linear scale in all layers; numbers of states are on a log scale.
TEST(Plot, SharesAreLinearAndNumbersLogarithmic) {
  const std::string picture = picture_of_two_layers({"a", "b"});
  const double whole = 150;
  EXPECT_NEAR(bar_with(picture, "layer 0: 900 states")[3], 0.9 * whole, 0.01);
  EXPECT_NEAR(bar_with(picture, "layer 0: 100 states")[3], 0.1 * whole, 0.01);
  EXPECT_NEAR(bar_with(picture, "layer 1: 9 states")[3], 0.9 * whole, 0.01);
  const double large = bar_with(picture, "layer 0: 1,000 states")[3];
  const double small = bar_with(picture, "layer 1: 10 states")[3];
  EXPECT_NEAR(large - small, 2 * 220 / 3.1, 0.01);  // two powers of ten of 3.1 on the axis
}

TEST(Plot, HasTitlesAndNames) {
  const std::string picture = picture_of_two_layers({"first", "second"});
  for (const char* text :
       {">made &lt;up&gt;: states and values by layer<", ">1,010 states in 2 layers<",
        ">number, log scale<", ">share of states<", ">layer: moves made<", ">100%<",
        ">first 100, second 0<", ">first 0, second 100<", ">nodes of the diagrams<"}) {
    EXPECT_EQ(occurrences(picture, text), 1u) << text;
  }
}

}  // namespace
}  // namespace zermelo::solve

// A short comparison of Machine and Reference over real rulesheets, where they are beside the
// checkout; twins_test.cc always compares the shipped ones. The executable `twins` runs the long
// comparison.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "gdl/read_rules.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "reference/reference.h"
#include "support/compare_engines.h"
#include "support/load.h"
#include "support/processor_time.h"

namespace zermelo::machine {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds for_grounding{0.2};
constexpr Seconds for_playing{0.05};
constexpr Seconds hidden_grounding{1};
constexpr Seconds hidden_playing{0.5};

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = ZERMELO_ROOT "/../shared/games/games";
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry);
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Corpus, EnginesAgreeOnRealGames) {
  const std::vector<std::filesystem::path> files = corpus();
  if (files.empty()) GTEST_SKIP() << "no collection of games at ../shared/games";
  std::size_t compared = 0;
  for (const auto& file : files) {
    const auto rulesheet = testing::rulesheet_file(file.string());
    auto game = ground::ground(rulesheet, {.limits = testing::thread_time_limit(for_grounding)});
    if (!game) continue;
    Stepper fast(std::make_shared<const Machine>(std::move(*game)));
    reference::Reference slow = std::move(*reference::Reference::make(rulesheet));
    const auto start = testing::thread_time();
    const auto comparison = testing::compare_engines(
        fast, slow,
        {.games = 3, .stop = [&] { return testing::thread_time() - start > for_playing; }});
    EXPECT_FALSE(comparison.difference.has_value()) << file << ": " << *comparison.difference;
    if (comparison.states > 1) ++compared;
  }
  EXPECT_GE(compared * 2, files.size());
}

std::vector<std::filesystem::path> hidden_corpus() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"gdl2", "hidden"}) {
    const std::filesystem::path path = ZERMELO_ROOT "/../shared/games/" + std::string(folder);
    if (!std::filesystem::is_directory(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// All games in GDL-II, percepts included. Three of them build ever larger terms, so they cannot be
// grounded; the others are invalid, with a location.
TEST(Corpus, EnginesAgreeOnGamesWithHiddenInformation) {
  const std::vector<std::filesystem::path> files = hidden_corpus();
  if (files.empty()) GTEST_SKIP() << "no collection of games at ../shared/games";
  std::size_t valid = 0, compared = 0;
  for (const auto& file : files) {
    auto source = base::read_source(file.string());
    const auto rules = gdl::read_rules(std::make_shared<const base::Source>(std::move(*source)));
    if (!rules) {
      EXPECT_NE(rules.error().message.find(": not valid GDL"), std::string::npos);
      continue;
    }
    ++valid;
    auto game = ground::ground(*rules, {.limits = testing::thread_time_limit(hidden_grounding)});
    if (!game) continue;
    Stepper fast(std::make_shared<const Machine>(std::move(*game)));
    reference::Reference slow = std::move(*reference::Reference::make(*rules));
    const auto start = testing::thread_time();
    const auto comparison = testing::compare_engines(
        fast, slow,
        {.games = 50, .stop = [&] { return testing::thread_time() - start > hidden_playing; }});
    EXPECT_FALSE(comparison.difference.has_value()) << file << ": " << *comparison.difference;
    if (comparison.states > 1) ++compared;
  }
  EXPECT_GE(compared + 4, valid);  // one more is slow to ground
}

}  // namespace
}  // namespace zermelo::machine

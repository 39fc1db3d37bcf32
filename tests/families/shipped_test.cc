// Shipped games that belong to a family are identical to the output of `generate`.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "families/families.h"

namespace zermelo::families {
namespace {

struct Shipped {
  std::string file;
  std::string family;
  std::vector<std::string> sizes;
};

class ShippedFamily : public ::testing::TestWithParam<Shipped> {};

TEST_P(ShippedFamily, EqualsTheGeneratedRules) {
  const Shipped& game = GetParam();
  std::ifstream file(ZERMELO_ROOT "/games/" + game.file + ".kif");
  ASSERT_TRUE(file);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), generate(game.family, game.sizes).value_or(""));
}

INSTANTIATE_TEST_SUITE_P(
    Games, ShippedFamily,
    ::testing::Values(
        Shipped{"blocks_world", "blocks", {"4"}},
        Shipped{"breakthrough", "breakthrough", {"8", "8"}}, Shipped{"chomp", "chomp", {"8", "7"}},
        Shipped{"clobber", "clobber", {"4", "5"}},
        Shipped{"connect_four", "connect-four", {"7", "6"}}, Shipped{"cubi_cup", "cubi-cup", {"4"}},
        Shipped{"eight_puzzle", "sliding-tiles", {"3", "3"}},
        Shipped{"fifteen_puzzle", "sliding-tiles", {"4", "4"}},
        Shipped{"hidden/dining_cryptographers", "dining-cryptographers", {"3"}},
        Shipped{"hidden/liars_dice", "liars-dice", {"3"}},
        Shipped{"hidden/muddy_children", "muddy-children", {"3"}},
        Shipped{"hidden/russian_cards", "russian-cards", {"3", "3", "1"}},
        Shipped{"knights_tour", "knights-tour", {"5", "5"}},
        Shipped{"lights_out", "lights-out", {"5", "5"}},
        Shipped{"nim", "nim", {"1", "3", "5", "7"}}, Shipped{"pancakes", "pancakes", {"6"}},
        Shipped{"peg_solitaire", "peg", {"english"}}, Shipped{"queens", "queens", {"8"}},
        Shipped{"tic_tac_toe", "tic-tac-toe", {"3", "3", "3"}},
        Shipped{"towers_of_hanoi", "hanoi", {"5", "3"}}),
    [](const auto& parameter) {
      std::string name = parameter.param.file;
      std::replace(name.begin(), name.end(), '/', '_');
      return name;
    });

}  // namespace
}  // namespace zermelo::families

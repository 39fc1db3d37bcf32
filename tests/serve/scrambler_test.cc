#include "serve/scrambler.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gdl/functions.h"
#include "reference/reference.h"
#include "support/load.h"

namespace zermelo::serve {
namespace {

const char* const game =
    "(role white) (init (heap 3)) (init (step 0)) (<= (legal white (take ?n)) (true (heap ?n)))"
    "(<= (next (step 1)) (does white (take 3))) (<= terminal (true (step 1)))"
    "(<= (goal white 100) (true (step 1)))";

TEST(Scrambler, ChangesNamesAndNothingElse) {
  const auto rules = testing::rulesheet(game);
  const std::string text = Scrambler(*rules, 7).scrambled_rules();
  for (const char* name : {"white", "heap", "take", "step"}) {
    EXPECT_EQ(text.find(name), std::string::npos) << text;
  }
  for (const char* kept :
       {"(role ", "(init ", "(legal ", "terminal", "(goal ", " 100)", "(does "}) {
    EXPECT_NE(text.find(kept), std::string::npos) << kept;
  }
  EXPECT_EQ(text, Scrambler(*rules, 7).scrambled_rules());
  EXPECT_NE(text, Scrambler(*rules, 8).scrambled_rules());
}

TEST(Scrambler, TermsRoundTrip) {
  const auto rules = testing::rulesheet(game);
  const Scrambler scrambler(*rules, 1);
  const std::string there = scrambler.scramble("(take 3)");
  EXPECT_NE(there, "(take 3)");
  EXPECT_EQ(there.substr(there.size() - 3), " 3)");
  EXPECT_EQ(scrambler.unscramble(there), "(take 3)");
  EXPECT_EQ(scrambler.unscramble("(unknown 3)"), "(unknown 3)");
}

TEST(Scrambler, TheGameStaysTheSame) {
  const auto rules = testing::rulesheet_file(ZERMELO_ROOT "/games/tic_tac_toe.kif");
  const auto scrambled = testing::rulesheet(Scrambler(*rules, 3).scrambled_rules());
  auto plain_engine = reference::Reference::make(rules);
  auto scrambled_engine = reference::Reference::make(scrambled);
  ASSERT_TRUE(plain_engine && scrambled_engine);
  auto plain_state = plain_engine->initial_state();
  auto scrambled_state = scrambled_engine->initial_state();
  const Scrambler words(*rules, 3);
  EXPECT_EQ(scrambled_engine->roles()[0], words.scramble(plain_engine->roles()[0]));
  for (std::size_t role = 0; role < 2; ++role) {
    std::vector<std::string> names;
    for (const auto move : plain_engine->legal_moves(plain_state, role)) {
      names.push_back(words.scramble(plain_engine->move_name(move)));
    }
    std::sort(names.begin(), names.end());
    std::vector<std::string> theirs;
    for (const auto move : scrambled_engine->legal_moves(scrambled_state, role)) {
      theirs.push_back(scrambled_engine->move_name(move));
    }
    std::sort(theirs.begin(), theirs.end());
    EXPECT_EQ(names, theirs);
  }
}

TEST(Scrambler, KeepsComputedFunctionsAndDecimals) {
  const auto rules = testing::shipped_rules("numbers/coalition_farmer");
  const std::string text = Scrambler(*rules, 5).scrambled_rules();
  for (const char* kept : {"(include ", " builtin:arithmetic)", "(use ", "(multiply ", " 1.1 "}) {
    EXPECT_NE(text.find(kept), std::string::npos) << kept;
  }
  EXPECT_EQ(text.find("alice"), std::string::npos);
  const auto scrambled = testing::rulesheet(text);
  EXPECT_EQ(gdl::FunctionTable(*scrambled).functions().size(),
            gdl::FunctionTable(*rules).functions().size());
}

}  // namespace
}  // namespace zermelo::serve

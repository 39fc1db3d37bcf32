#include "families/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "families/expressions.h"

namespace zermelo::families {
namespace {

using test::Expression;

std::string rules_of(const std::string& family, const std::vector<std::string>& sizes) {
  const base::Result<std::string> rules = generate(family, sizes);
  EXPECT_TRUE(rules) << family << ": " << rules.error().message;
  return rules.value_or("");
}

std::string message_of(const std::string& family, const std::vector<std::string>& sizes) {
  const base::Result<std::string> rules = generate(family, sizes);
  EXPECT_FALSE(rules) << family << " accepted sizes it should not";
  return rules ? "" : rules.error().message;
}

// Every relation used in a body is defined by some head, and all required keywords are defined.
void expect_complete(const std::string& text) {
  const auto rules = test::read_expressions(text);
  ASSERT_TRUE(rules) << "unbalanced parentheses";
  const std::set<std::string> defined = test::defined_relations(*rules);
  for (const std::string& relation : test::used_relations(*rules)) {
    EXPECT_TRUE(defined.contains(relation)) << relation << " is used and never defined";
  }
  for (const char* word : {"role", "init", "legal", "next", "goal", "terminal"}) {
    EXPECT_TRUE(defined.contains(word)) << word;
  }
}

struct Case {
  std::string family;
  std::vector<std::string> sizes;
};

std::vector<Case> valid_cases() {
  std::vector<Case> cases;
  for (int w = 1; w <= 5; ++w) {
    for (int h = 1; h <= 5; ++h) {
      const std::string width = std::to_string(w);
      const std::string height = std::to_string(h);
      for (int k = 1; k <= std::max(w, h); ++k) {
        cases.push_back({"tic-tac-toe", {width, height, std::to_string(k)}});
        cases.push_back({"connect-four", {width, height, std::to_string(k)}});
      }
      cases.push_back({"chomp", {width, height}});
      cases.push_back({"lights-out", {width, height}});
      if (w * h > 1) cases.push_back({"clobber", {width, height}});
      if (w * h > 1) cases.push_back({"clobber", {width, height, "tokens"}});
      if (w > 1 && h > 1) cases.push_back({"sliding-tiles", {width, height}});
      if (w > 1 && h > 3) cases.push_back({"breakthrough", {width, height}});
      if (w > 2 && h > 2) cases.push_back({"knights-tour", {width, height}});
      if (w > 3) cases.push_back({"peg", {"rectangle", width, height}});
      if (h > 2) cases.push_back({"hanoi", {width, height}});
    }
  }
  for (int n = 1; n <= 9; ++n) {
    const std::string size = std::to_string(n);
    cases.push_back({"queens", {size}});
    cases.push_back({"nim", {size}});
    cases.push_back({"nim", std::vector<std::string>(static_cast<std::size_t>(n), size)});
    if (n > 1) cases.push_back({"pancakes", {size}});
    if (n > 1) cases.push_back({"blocks", {size}});
    if (n > 1) cases.push_back({"cubi-cup", {size}});
    if (n > 2) cases.push_back({"peg", {"triangle", size}});
  }
  for (int n = 3; n <= 9; ++n) {
    const std::string size = std::to_string(n);
    cases.push_back({"dining-cryptographers", {size}});
    cases.push_back({"muddy-children", {size}});
    cases.push_back({"liars-dice", {size}});
    cases.push_back({"sum-and-product", {std::to_string(n * 5)}});
  }
  cases.push_back({"muddy-children", {"1"}});
  cases.push_back({"russian-cards", {"3", "3", "1"}});
  cases.push_back({"russian-cards", {"1", "2", "3"}});
  cases.push_back({"connect-four", {"7", "6"}});
  cases.push_back({"sliding-tiles", {"4", "4", "100"}});
  cases.push_back({"sliding-tiles", {"3", "3", "unlimited"}});
  cases.push_back({"hanoi", {"30", "3", "unlimited"}});
  for (const char* race : {"penalties", "shock-step", "punishment"}) {
    for (const char* lanes : {"2", "3", "20"}) {
      for (const char* length : {"4", "5", "20"}) cases.push_back({race, {lanes, length}});
    }
  }
  for (const char* active : {"1", "6", "10"}) cases.push_back({"progression", {active, "2"}});
  for (const char* pawns : {"1", "2", "4", "6"}) cases.push_back({"optimistic", {pawns}});
  for (const char* board : {"english", "european", "wiegleb", "triangle"}) {
    cases.push_back({"peg", {board}});
  }
  return cases;
}

TEST(Families, AreListedInOrderWithUsageAndSummary) {
  EXPECT_EQ(list().size(), 25u);
  EXPECT_TRUE(std::is_sorted(list().begin(), list().end(),
                             [](const Family& a, const Family& b) { return a.name < b.name; }));
  for (const Family& family : list()) {
    EXPECT_FALSE(family.usage.empty()) << family.name;
    EXPECT_FALSE(family.summary.empty()) << family.name;
  }
}

std::vector<std::string> largest_sizes(const Family& family) {
  std::istringstream words{std::string(family.largest)};
  std::vector<std::string> sizes;
  for (std::string word; words >> word && word != "...";) sizes.push_back(word);
  return sizes;
}

TEST(Families, TheListedMaximumSizesAreTheMaximum) {
  for (const Family& family : list()) {
    std::vector<std::string> sizes = largest_sizes(family);
    EXPECT_TRUE(generate(family.name, sizes)) << family.name;
    for (std::string& size : sizes) {
      if (!std::isdigit(static_cast<unsigned char>(size[0]))) continue;
      std::string larger = std::to_string(std::stoi(size) + 1);
      std::swap(size, larger);
      EXPECT_FALSE(generate(family.name, sizes)) << family.name << " " << size;
      std::swap(size, larger);
    }
  }
}

TEST(Families, EveryFamilyHasValidCases) {
  std::set<std::string> tried;
  for (const Case& one : valid_cases()) tried.insert(one.family);
  EXPECT_EQ(tried.size(), list().size());
}

TEST(Families, AllSizesGiveCompleteRules) {
  for (const Case& one : valid_cases()) {
    const std::string rules = rules_of(one.family, one.sizes);
    SCOPED_TRACE(rules.substr(0, rules.find('\n')));
    expect_complete(rules);
  }
}

TEST(Families, TheFirstLineNamesFamilyAndSizes) {
  EXPECT_TRUE(rules_of("connect-four", {"5", "4"}).starts_with("; connect-four 5 4 4\n"));
  EXPECT_TRUE(rules_of("nim", {"3", "1"}).starts_with("; nim 3 1\n"));
  EXPECT_TRUE(rules_of("peg", {"triangle"}).starts_with("; peg triangle 5\n"));
  EXPECT_TRUE(rules_of("clobber", {"3", "2", "tokens"}).starts_with("; clobber 3 2 tokens\n"));
}

TEST(Families, LinesAreWrapped) {
  for (const Case& one : valid_cases()) {
    const std::string rules = rules_of(one.family, one.sizes);
    for (std::size_t begin = 0; begin < rules.size();) {
      const std::size_t end = rules.find('\n', begin);
      ASSERT_NE(end, std::string::npos) << "no line break at the end";
      EXPECT_LE(end - begin, 100u) << rules.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Families, PegBoardsHaveTheRightNumberOfHoles) {
  EXPECT_EQ(count_of(rules_of("peg", {"english"}), "(init (peg "), 32u);
  EXPECT_EQ(count_of(rules_of("peg", {"european"}), "(init (peg "), 36u);
  EXPECT_EQ(count_of(rules_of("peg", {"wiegleb"}), "(init (peg "), 44u);
  EXPECT_EQ(count_of(rules_of("peg", {"triangle"}), "(init (peg "), 14u);
  EXPECT_EQ(count_of(rules_of("peg", {"english"}), "(line "),
            76u + 2u);  // and two rules use it
  EXPECT_EQ(count_of(rules_of("cubi-cup", {"5"}), "(place p"), 35u);
}

TEST(Families, HanoiIsLimitedToTheMinimumNumberOfMoves) {
  EXPECT_EQ(count_of(rules_of("hanoi", {"5", "3"}), "(tick "), 31u + 1u);
  EXPECT_EQ(count_of(rules_of("hanoi", {"8", "4"}), "(tick "), 33u + 1u);
  EXPECT_EQ(count_of(rules_of("hanoi", {"5", "10"}), "(tick "), 9u + 1u);
}

TEST(Families, UnlimitedPuzzlesDoNotCountMoves) {
  for (const Case& one : {Case{"hanoi", {"3", "3"}}, Case{"sliding-tiles", {"3", "3"}}}) {
    std::vector<std::string> unlimited = one.sizes;
    unlimited.push_back("unlimited");
    EXPECT_GT(count_of(rules_of(one.family, one.sizes), "step"), 0u);
    EXPECT_EQ(count_of(rules_of(one.family, unlimited), "step"), 0u);
  }
}

TEST(Families, SlidingTilesExchangeTwoTilesIfTheParityRequiresIt) {
  EXPECT_NE(rules_of("sliding-tiles", {"3", "3"}).find("(init (cell 3 3 1))"), std::string::npos);
  EXPECT_NE(rules_of("sliding-tiles", {"4", "3"}).find("(init (cell 4 3 2))"), std::string::npos);
}

TEST(Families, UnknownFamiliesAreRejectedWithAListOfFamilies) {
  const std::string message = message_of("chess", {"8", "8"});
  EXPECT_NE(message.find("\"chess\""), std::string::npos);
  EXPECT_NE(message.find("connect-four"), std::string::npos);
}

TEST(Families, WrongNumbersOfSizesAreRejected) {
  EXPECT_NE(message_of("connect-four", {"7"}).find("connect-four W H [K]"), std::string::npos);
  EXPECT_NE(message_of("connect-four", {"7", "6", "4", "1"}).find("got 4"), std::string::npos);
  for (const Family& family : list()) message_of(std::string(family.name), {});
  for (const Family& family : list()) {
    if (family.name != "nim") message_of(std::string(family.name), {"3", "3", "3", "3"});
  }
}

TEST(Families, NonNumericOrOutOfRangeSizesAreRejected) {
  for (const char* wrong :
       {"0", "-3", "x", "3x", " 3", "", "3.0", "99999999999999999999", "1000000"}) {
    EXPECT_NE(message_of("chomp", {wrong, "3"}).find("W must be a number from 1 to 50"),
              std::string::npos)
        << wrong;
    message_of("nim", {"3", wrong});
    message_of("sliding-tiles", {"3", "3", wrong});
    message_of("peg", {"triangle", wrong});
    message_of("peg", {wrong});
  }
}

TEST(Families, IncompatibleSizesAreRejected) {
  EXPECT_NE(message_of("tic-tac-toe", {"3", "2", "4"}).find("no line of 4 fits"),
            std::string::npos);
  EXPECT_NE(message_of("connect-four", {"3", "3"}).find("no line of 4 fits"), std::string::npos);
  message_of("clobber", {"1", "1"});
  message_of("hanoi", {"3", "2"});
  message_of("hanoi", {"30", "3"});
  message_of("breakthrough", {"8", "3"});
  message_of("peg", {"english", "3"});
}

}  // namespace
}  // namespace zermelo::families

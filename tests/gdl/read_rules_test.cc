#include "gdl/read_rules.h"

#include <gtest/gtest.h>

namespace zermelo::gdl {
namespace {

const std::string valid =
    "(role r) (init (s 1)) (<= (legal r go) (true (s 1))) (<= (next (s 2)) (does r go))"
    "(<= terminal (true (s 2))) (<= (goal r 100) (true (s 2)))";

std::shared_ptr<const base::Source> source(const std::string& text) {
  return std::make_shared<const base::Source>("test.kif", text);
}

std::vector<std::string> codes(const CheckedRules& rules) {
  std::vector<std::string> result;
  for (const Diagnostic& diagnostic : rules.diagnostics) result.push_back(diagnostic.code);
  return result;
}

TEST(ReadRules, ValidTextBecomesItsRulesheet) {
  const auto rules = read_rules(source(valid));
  ASSERT_TRUE(rules);
  EXPECT_EQ((*rules)->source->name(), "test.kif");
  EXPECT_FALSE((*rules)->clauses.empty());
}

TEST(ReadRules, AnErrorOfSyntaxIsLocated) {
  const auto rules = read_rules(source(valid + "\n  (legal r"));
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().kind, base::ErrorKind::invalid_rules);
  EXPECT_EQ(rules.error().message.rfind("test.kif:2:3: not valid GDL (1 error): ", 0), 0u)
      << rules.error().message;
}

TEST(ReadRules, AnErrorOfValidityIsLocated) {
  const auto rules = read_rules(source(valid + "\n(<= (goal r 50) (not (true (s ?x))))"));
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().kind, base::ErrorKind::invalid_rules);
  EXPECT_EQ(rules.error().message.rfind("test.kif:2:", 0), 0u) << rules.error().message;
}

TEST(CheckRules, ProblemsThatALostClauseMayHaveCausedAreLeftOut) {
  EXPECT_FALSE(codes(check_rules(source("(role r)"))).empty());
  const CheckedRules rules = check_rules(source("(role r) (init"));
  EXPECT_FALSE(rules.is_valid());
  for (const std::string& code : codes(rules)) EXPECT_NE(code.rfind("missing-", 0), 0u) << code;
}

TEST(CheckRules, ErrorsAndWarningsAreCountedApart) {
  const CheckedRules rules = check_rules(source("(role r)"));
  EXPECT_GT(rules.errors(), 0u);
  EXPECT_EQ(rules.errors() + rules.warnings(), rules.diagnostics.size());
  EXPECT_TRUE(check_rules(source(valid)).is_valid());
}

TEST(CheckRules, BinaryDataIsNotText) {
  const CheckedRules rules = check_rules(source(std::string("\0\1\2", 3)));
  EXPECT_FALSE(rules.is_text);
  EXPECT_FALSE(rules.is_valid());
  EXPECT_TRUE(check_rules(source(valid)).is_text);
}

// Reading and checking the rules ends at every check of the limits.
TEST(ReadRules, ALimitIsAnError) {
  std::string text = "(role a) (legal a go) (goal a 50) (<= terminal (p 0))\n";
  for (int i = 0; i < 20'000; ++i) text += "(p " + std::to_string(i) + ")\n";
  const auto source = std::make_shared<const base::Source>("large", text);
  int checks = 0;
  base::Limits counting;
  counting.end_when([&] { return ++checks < 0; });
  ASSERT_TRUE(read_rules(source, counting));
  EXPECT_GT(checks, 20);
  for (const int last : {1, checks / 2, checks}) {
    int left = last;
    base::Limits limits;
    limits.end_when([&] { return --left == 0; });
    const auto stopped = read_rules(source, limits);
    ASSERT_FALSE(stopped) << last << " of " << checks;
    EXPECT_EQ(stopped.error().kind, base::ErrorKind::time_limit);
  }
}

}  // namespace
}  // namespace zermelo::gdl

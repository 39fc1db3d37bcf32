#include "gdl/term_text.h"

#include <gtest/gtest.h>

namespace zermelo::gdl {
namespace {

TEST(TermText, CanonicalTerms) {
  EXPECT_EQ(canonical_term(" ( Mark 1\n1 ) "), "(mark 1 1)");
  EXPECT_EQ(canonical_term("(noop)"), "noop");
  EXPECT_EQ(canonical_term("(f (g) (h x))"), "(f g (h x))");
  EXPECT_EQ(canonical_term("a b"), std::nullopt);
  EXPECT_EQ(canonical_term("()"), std::nullopt);
  EXPECT_EQ(canonical_term("(f ())"), std::nullopt);
  EXPECT_EQ(canonical_term("(a"), std::nullopt);
  EXPECT_EQ(canonical_term("a)"), std::nullopt);
  EXPECT_EQ(canonical_term(""), std::nullopt);
}

TEST(TermText, TermsOfAPerson) {
  using Terms = std::vector<std::string>;
  EXPECT_EQ(canonical_terms("(Mark 1 1) mark(2,2), NOOP;f( g(x) , (h y) )").value(),
            (Terms{"(mark 1 1)", "(mark 2 2)", "noop", "(f (g x) (h y))"}));
  EXPECT_EQ(canonical_terms("(a 1)(b 2) go() (c (d))").value(),
            (Terms{"(a 1)", "(b 2)", "go", "(c d)"}));
  EXPECT_EQ(canonical_terms(" ").value(), Terms());
  EXPECT_EQ(canonical_terms("(mark 1 1").error(), "a parenthesis is not closed");
  EXPECT_EQ(canonical_terms("mark(1,").error(), "a parenthesis is not closed");
  EXPECT_EQ(canonical_terms("a) b").error(), "a closing parenthesis without an opening one");
  EXPECT_EQ(canonical_terms("()").error(), "empty parentheses");
  EXPECT_EQ(canonical_terms("(a, b)").error(), "a separator in the place of a term");
  EXPECT_FALSE(canonical_terms(std::string(100'000, '(')));
}

TEST(TermText, ItemsAreWordsAndLists) {
  using Items = std::vector<std::string_view>;
  EXPECT_EQ(items_of(" a ( b (c) ) d"), (Items{"a", "( b (c) )", "d"}));
  EXPECT_EQ(items_of(""), Items());
  EXPECT_EQ(items_of("a b", 1), std::nullopt);
  EXPECT_EQ(items_of("(a"), std::nullopt);
  EXPECT_EQ(items_of("a)"), std::nullopt);
}

}  // namespace
}  // namespace zermelo::gdl

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

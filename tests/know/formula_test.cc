#include "know/formula.h"

#include <gtest/gtest.h>

namespace zermelo::know {
namespace {

Vocabulary words() {
  return {{"a", "b"}, [](const std::string& name) -> std::optional<std::uint32_t> {
            const std::vector<std::string> atoms = {"p", "q", "(cell 1 (f x))", "k", "(c 1)"};
            for (std::uint32_t i = 0; i < atoms.size(); ++i) {
              if (atoms[i] == name) return i;
            }
            return std::nullopt;
          }};
}

std::string text_of(const Formula& formula) {
  constexpr const char* names[] = {"", "not", "and", "or", "implies", "K", "Kw", "E", "D", "C"};
  if (formula.kind == Formula::Kind::atom) return std::to_string(formula.atom);
  std::string text = "(" + std::string(names[static_cast<std::size_t>(formula.kind)]);
  for (const std::uint32_t agent : formula.agents) text += " " + std::string(1, "ab"[agent]);
  for (const Formula& child : formula.children) text += " " + text_of(child);
  return text + ")";
}

std::string parsed(const std::string& text) {
  const auto formula = parse_formula(text, words());
  return formula ? text_of(*formula) : formula.error().message;
}

TEST(Formula, BindsAsDocumented) {
  EXPECT_EQ(parsed("p and q or not p and q"), "(or (and 0 1) (and (not 0) 1))");
  EXPECT_EQ(parsed("p implies q implies p or q"), "(implies 0 (implies 1 (or 0 1)))");
  EXPECT_EQ(parsed("not (p or q) and p"), "(and (not (or 0 1)) 0)");
  EXPECT_EQ(parsed("P AND Cell(1, F(x))"), "(and 0 2)");
}

TEST(Formula, HasEpistemicOperators) {
  EXPECT_EQ(parsed("K(a, p implies Kw(b, q))"), "(K a (implies 0 (Kw b 1)))");
  EXPECT_EQ(parsed("C({a, b}, p) and E({b, a, b}, q)"), "(and (C a b 0) (E a b 1))");
  EXPECT_EQ(parsed("D({b}, not p)"), "(D b (not 0))");
}

TEST(Formula, LowerCaseNamesAreAtoms) {
  EXPECT_EQ(parsed("k and c(1)"), "(and 3 4)");
  EXPECT_EQ(parsed("K"), "3");
}

TEST(Formula, LocatesProblems) {
  EXPECT_EQ(parsed("K(c, p)").substr(0, 70),
            "formula:1:3: error: there is no player c; players: a, b [unknown-role]");
  EXPECT_NE(parsed("p and r").find("formula:1:7: error: the game has no atom r [unknown-atom]"),
            std::string::npos);
  EXPECT_NE(parsed("cell(1, 2) or p").find("formula:1:1: error: the game has no atom cell(1, 2)"),
            std::string::npos);
  for (const char* wrong :
       {"", "p q", "(p", "p)", "not", "K(a)", "K(a p)", "C(a, p)", "C({}, p)", "C({a b}, p)",
        "p and", "and p", "cell(1", "cell()", "p & q", "K(a, )"}) {
    EXPECT_NE(parsed(wrong).find("[formula-syntax]"), std::string::npos) << wrong;
  }
  EXPECT_NE(parsed(std::string(500, '(') + "p" + std::string(500, ')')).find("[formula-too-deep]"),
            std::string::npos);
}

}  // namespace
}  // namespace zermelo::know

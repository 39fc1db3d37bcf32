#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace zermelo::base {
namespace {

std::string shown(const std::string& text, Span span, Severity severity = Severity::error) {
  return format({severity, "some-code", span, "fix it"}, Source("game.kif", text));
}

TEST(FormatDiagnostic, ShowsPositionLineAndCaret) {
  EXPECT_EQ(shown("(a)\n(b ?x)\n", {7, 9}),
            "game.kif:2:4: error: fix it [some-code]\n"
            "(b ?x)\n"
            "   ^~\n");
}

TEST(FormatDiagnostic, LabelsWarnings) {
  EXPECT_EQ(shown("a", {0, 1}, Severity::warning),
            "game.kif:1:1: warning: fix it [some-code]\na\n^\n");
}

TEST(FormatDiagnostic, KeepsTabsToAlignTheCaret) {
  EXPECT_EQ(shown("\ta\tb", {3, 4}), "game.kif:1:4: error: fix it [some-code]\n\ta\tb\n\t \t^\n");
}

TEST(FormatDiagnostic, UnderlineEndsWithTheLine) {
  EXPECT_EQ(shown("(a\r\n b)", {0, 7}), "game.kif:1:1: error: fix it [some-code]\n(a\n^~\n");
}

TEST(FormatDiagnostic, AcceptsPositionsAtTheEndOfTheText) {
  EXPECT_EQ(shown("ab", {2, 2}), "game.kif:1:3: error: fix it [some-code]\nab\n  ^\n");
  EXPECT_EQ(shown("", {0, 0}), "game.kif:1:1: error: fix it [some-code]\n\n^\n");
}

TEST(FormatDiagnostic, CountsCharactersAndHidesInvalidBytes) {
  EXPECT_EQ(shown("\xc3\xa9\xff\x01z", {4, 5}),
            "game.kif:1:5: error: fix it [some-code]\n\xc3\xa9..z\n   ^\n");
}

TEST(FormatDiagnostic, ShowsAHundredColumnsOfALongLine) {
  const std::string line = std::string(5000, 'a') + "?" + std::string(5000, 'b');
  EXPECT_EQ(shown(line, {5000, 5001}), "game.kif:1:5001: error: fix it [some-code]\n" +
                                           std::string(50, 'a') + "?" + std::string(49, 'b') +
                                           "\n" + std::string(50, ' ') + "^\n");
  EXPECT_EQ(shown(line, {2, 9000}), "game.kif:1:3: error: fix it [some-code]\n" +
                                        std::string(100, 'a') + "\n  ^" + std::string(97, '~') +
                                        "\n");
  EXPECT_EQ(shown(line, {10000, 10001}), "game.kif:1:10001: error: fix it [some-code]\n" +
                                             std::string(100, 'b') + "\n" + std::string(99, ' ') +
                                             "^\n");
}

TEST(HasErrors, IgnoresWarnings) {
  EXPECT_FALSE(has_errors({}));
  EXPECT_FALSE(has_errors({{Severity::warning, "w", {}, ""}}));
  EXPECT_TRUE(has_errors({{Severity::warning, "w", {}, ""}, {Severity::error, "e", {}, ""}}));
}

}  // namespace
}  // namespace zermelo::base

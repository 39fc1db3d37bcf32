#include "base/spelling.h"

#include <gtest/gtest.h>

#include <set>

namespace zermelo::base {
namespace {

const std::string letters = "ab";

// All texts over `letters` of at most this length.
std::vector<std::string> texts_up_to(std::size_t length) {
  std::vector<std::string> texts{""};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() == length) continue;
    for (const char c : letters) texts.push_back(texts[i] + c);
  }
  return texts;
}

// What one edit makes of a text, found by making every edit.
std::set<std::string> edits_of(const std::string& text) {
  std::set<std::string> edits;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    for (const char c : letters) edits.insert(text.substr(0, i) + c + text.substr(i));
    if (i == text.size()) continue;
    edits.insert(text.substr(0, i) + text.substr(i + 1));
    for (const char c : letters) edits.insert(text.substr(0, i) + c + text.substr(i + 1));
    if (i + 1 == text.size()) continue;
    edits.insert(text.substr(0, i) + text[i + 1] + text[i] + text.substr(i + 2));
  }
  edits.erase(text);
  return edits;
}

TEST(Spelling, OneEditIsWhatMakingEveryEditFinds) {
  const auto texts = texts_up_to(5);
  for (const std::string& a : texts) {
    const auto edits = edits_of(a);
    for (const std::string& b : texts) {
      EXPECT_EQ(one_edit_apart(a, b), edits.count(b) == 1) << a << " " << b;
    }
  }
}

TEST(Spelling, CaseIsIgnored) {
  EXPECT_TRUE(one_edit_apart("Slove", "solve"));
  EXPECT_FALSE(one_edit_apart("Solve", "solve"));
}

TEST(Spelling, SimilarNamesAreFoundInOrder) {
  EXPECT_EQ(similar_name("dose", {"true", "does", "dosed"}), "does");
  EXPECT_EQ(similar_name("goat", {"true", "does"}), std::nullopt);
  EXPECT_EQ(did_you_mean("--tiem", {"--json", "--time"}), "; did you mean '--time'?");
  EXPECT_EQ(did_you_mean("--loudly", {"--json", "--time"}), "");
}

TEST(Spelling, ShortNamesAreNotSimilar) { EXPECT_EQ(similar_name("q", {"p", "qq"}), std::nullopt); }

}  // namespace
}  // namespace zermelo::base

// Checks the shipped games, and the rulesheets of other authors if `../shared/games` exists.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "gdl/parser.h"
#include "gdl/validity.h"

namespace zermelo::gdl {
namespace {

namespace fs = std::filesystem;

const fs::path collection = fs::path(ZERMELO_ROOT) / ".." / "shared" / "games";
const fs::path shipped = fs::path(ZERMELO_ROOT) / "games";

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".kif") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Verdict {
  std::set<std::string> errors;
  std::set<std::string> warnings;
  std::string listed;  // the errors as shown to the user
  bool imperfect_information = false;
};

Verdict judge(const fs::path& file) {
  auto source = base::read_source(file.string());
  EXPECT_TRUE(source.has_value()) << file;
  ParseResult parsed = parse(std::make_shared<const base::Source>(std::move(*source)));
  auto diagnostics = std::move(parsed.diagnostics);
  for (auto& more : check_validity(parsed.rulesheet)) diagnostics.push_back(std::move(more));
  Verdict verdict;
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool is_error = diagnostic.severity == Severity::error;
    (is_error ? verdict.errors : verdict.warnings).insert(diagnostic.code);
    if (is_error) verdict.listed += format(diagnostic, *parsed.rulesheet.source);
  }
  verdict.imperfect_information = uses_imperfect_information(parsed.rulesheet);
  return verdict;
}

TEST(Corpus, CollectedGamesAreValid) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection of games at " << collection;
  for (const fs::path& file : files_in(collection / "games")) {
    const Verdict verdict = judge(file);
    EXPECT_TRUE(verdict.errors.empty()) << verdict.listed;
    EXPECT_FALSE(verdict.imperfect_information) << file;
  }
}

TEST(Corpus, ShippedGamesAreValid) {
  for (const fs::path& file : files_in(shipped)) {
    const Verdict verdict = judge(file);
    EXPECT_TRUE(verdict.errors.empty()) << verdict.listed;
  }
}

// The error codes of all other collected files; empty for valid files.
const std::map<std::string, std::set<std::string>> expected_errors{
    // The other validator rejects two spellings of a name. GDL ignores case, and the rules with the
    // spellings merged are valid.
    {"rejected/chessAlex.kif", {}},
    {"rejected/wargame01.kif", {}},
    {"rejected/wargame02.kif", {}},
    {"rejected/wargame03.kif", {}},
    {"rejected/wargame03__v1.kif", {}},
    // Whether a sheep stands still depends on the moves.
    {"rejected/firesheep.kif", {"terminal-depends-on-does"}},
    // Uses the initial state in a body and has unbound variables.
    {"gdl2/DarkChess.kif", {"keyword-in-body", "unsafe-head", "unsafe-negation"}},
    {"gdl2/beatMania__v1.kif", {}},
    // Declare fluents by facts with variables.
    {"gdl2/ii_meier.kif", {"variable-in-fact", "unsafe-head"}},
    {"gdl2/ii_montyhall.kif", {"variable-in-fact"}},
    // Percepts of the form does(role, move), as usual in GDL-II.
    {"gdl2/mastermind.kif", {}},
    {"gdl2/meier.kif", {}},
    {"gdl2/montyhall.kif", {}},
    {"gdl2/small_dominion.kif", {}},
    {"gdl2/vacuumcleaner_obstacles_6.kif", {}},
    {"tests/baseDependsOnTrue.kif", {"base-depends-on-state"}},
    {"tests/connectFour.kif", {}},
    {"tests/emptyDisjunction.kif", {}},
    {"tests/simpleMutex.kif", {}},
    {"tests/test_case_1a.kif", {}},
    {"tests/test_case_1b.kif", {}},
    {"tests/test_case_2a.kif", {}},
    {"tests/test_case_2b.kif", {}},
    {"tests/test_case_2c.kif", {}},
    {"tests/test_case_3a.kif", {}},
    // Defines a predicate for all values by 'distinct' only.
    {"tests/test_case_3b.kif", {"unsafe-head"}},
    // A predicate that is never defined is only a warning.
    {"tests/test_case_3c.kif", {}},
    {"tests/test_case_3d.kif", {}},
    // Rules for any role without a condition that it is a role.
    {"tests/test_case_3e.kif", {"unsafe-head"}},
    {"tests/test_case_3f.kif", {"unsafe-head"}},
    {"tests/test_case_4a.kif", {}},
    {"tests/test_case_5a.kif", {}},
    {"tests/test_case_5b.kif", {}},
    {"tests/test_case_5c.kif", {}},
    // Two mutually recursive predicates, without functions.
    {"tests/test_case_5d.kif", {}},
    {"tests/test_case_5e.kif", {}},
    // The negation of 'distinct' has an obvious meaning, so it is only a warning.
    {"tests/test_clean_not_distinct.kif", {}},
    {"tests/test_distinct_beginning_rule.kif", {}},
    // Varying arity is only a warning: names with different arities are different.
    {"tests/test_invalid_function_arities_differ.kif", {}},
    {"tests/test_invalid_sentence_arities_differ.kif", {}},
    {"tests/ticTacToe.kif", {}},
    {"tests/varInTopLevelSentence.kif", {"variable-in-fact"}},
};

TEST(Corpus, OtherCollectedFilesHaveTheExpectedErrors) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection of games at " << collection;
  for (const char* folder : {"rejected", "gdl2", "tests"}) {
    for (const fs::path& file : files_in(collection / folder)) {
      const std::string name = folder + ("/" + file.filename().string());
      const auto expected = expected_errors.find(name);
      ASSERT_NE(expected, expected_errors.end()) << name;
      const Verdict verdict = judge(file);
      EXPECT_EQ(verdict.errors, expected->second) << verdict.listed;
      EXPECT_EQ(verdict.imperfect_information, std::string(folder) == "gdl2") << name;
    }
  }
}

TEST(Corpus, SuspiciousFilesHaveTheExpectedWarnings) {
  const std::map<std::string, std::string> expected{
      {"rejected/chessAlex.kif", "two-spellings"},
      {"rejected/wargame01.kif", "two-spellings"},
      {"rejected/wargame02.kif", "two-spellings"},
      {"rejected/wargame03.kif", "two-spellings"},
      {"rejected/wargame03__v1.kif", "two-spellings"},
      {"gdl2/mastermind.kif", "keyword-as-name"},
      {"gdl2/meier.kif", "keyword-as-name"},
      {"tests/emptyDisjunction.kif", "empty-disjunction"},
      {"tests/test_case_3c.kif", "undefined-predicate"},
      {"tests/test_clean_not_distinct.kif", "negated-formula"},
      {"tests/test_invalid_function_arities_differ.kif", "varying-arity"},
      {"tests/test_invalid_sentence_arities_differ.kif", "varying-arity"},
      {"games/queens08ug.kif", "own-negation"},
      {"games/clobber.kif", "undefined-predicate"},
      {"games/mummymaze1p.kif", "unknown-role"},
      {"games/sudoku.kif", "missing-init"},
  };
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection of games at " << collection;
  for (const auto& [file, code] : expected) {
    EXPECT_EQ(judge(collection / file).warnings.count(code), 1u) << file << " " << code;
  }
}

// docs/explanation/validator-differences.md names exactly the files where the verdicts differ.
TEST(Corpus, DifferencesFromTheOtherValidatorAreDocumented) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection of games at " << collection;
  std::ifstream index(collection / "INDEX.tsv");
  std::ifstream document(fs::path(ZERMELO_ROOT) / "docs" / "explanation" /
                         "validator-differences.md");
  ASSERT_TRUE(document.good());
  const std::string written{std::istreambuf_iterator<char>(document), {}};
  std::string line;
  std::getline(index, line);
  while (std::getline(index, line)) {
    const std::string file = line.substr(0, line.find('\t'));
    const bool other_accepts = line.rfind("\tvalid") != std::string::npos;
    const bool differs = judge(collection / file).errors.empty() != other_accepts;
    const bool is_listed = written.find("| `" + file + "` |") != std::string::npos;
    EXPECT_EQ(differs, is_listed) << file;
  }
}

}  // namespace
}  // namespace zermelo::gdl

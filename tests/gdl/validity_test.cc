#include "gdl/validity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

#include "gdl/parser.h"
#include "support/processor_time.h"

namespace zermelo::gdl {
namespace {

const char* const valid_rules =
    "(role white) (role black)\n"
    "(init (control white))\n"
    "(<= (legal ?p noop) (role ?p))\n"
    "(<= (next (control ?p)) (does ?p noop) (true (control ?p)))\n"
    "(<= terminal (true (control black)))\n"
    "(<= (goal ?p 50) (role ?p))\n";

struct Checked {
  ParseResult parsed;
  std::vector<Diagnostic> diagnostics;

  std::string place(const Diagnostic& diagnostic) const {
    return std::string(parsed.rulesheet.source->text(diagnostic.span));
  }
};

Checked check(const std::string& text) {
  Checked checked{parse(std::make_shared<const base::Source>("game.kif", text)), {}};
  EXPECT_TRUE(checked.parsed.diagnostics.empty()) << text;
  checked.diagnostics = check_validity(checked.parsed.rulesheet);
  return checked;
}

std::vector<Diagnostic> with_code(const Checked& checked, const std::string& code) {
  std::vector<Diagnostic> found;
  std::copy_if(checked.diagnostics.begin(), checked.diagnostics.end(), std::back_inserter(found),
               [&](const Diagnostic& diagnostic) { return diagnostic.code == code; });
  return found;
}

std::string listed(const Checked& checked) {
  std::string text;
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    text += format(diagnostic, *checked.parsed.rulesheet.source);
  }
  return text;
}

TEST(Validity, ValidRulesHaveNoDiagnostics) {
  const Checked checked = check(valid_rules);
  EXPECT_TRUE(checked.diagnostics.empty()) << listed(checked);
}

// An addition to the valid rules that triggers a code once, the text that is reported, and a
// similar addition that must not trigger it.
struct Case {
  Severity severity;
  std::string code;
  std::string wrong;
  std::string place;
  std::string right;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.code << ": " << one.wrong; }

class ValidityCase : public ::testing::TestWithParam<Case> {};

TEST_P(ValidityCase, IsReportedOnceAtItsPosition) {
  const Case& one = GetParam();
  const Checked checked = check(valid_rules + one.wrong);
  const auto found = with_code(checked, one.code);
  ASSERT_EQ(found.size(), 1u) << listed(checked);
  EXPECT_EQ(found[0].severity, one.severity);
  EXPECT_EQ(checked.place(found[0]), one.place);
  const auto errors = std::count_if(
      checked.diagnostics.begin(), checked.diagnostics.end(),
      [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
  EXPECT_EQ(errors, one.severity == Severity::error ? 1 : 0) << listed(checked);
}

TEST_P(ValidityCase, IsNotReportedForASimilarValidRule) {
  const Case& one = GetParam();
  const Checked checked = check(valid_rules + one.right);
  EXPECT_TRUE(with_code(checked, one.code).empty()) << listed(checked);
  EXPECT_FALSE(has_errors(checked.diagnostics)) << listed(checked);
}

TEST_P(ValidityCase, MessageIsOneSentenceWithAFix) {
  for (const Diagnostic& diagnostic : check(valid_rules + GetParam().wrong).diagnostics) {
    EXPECT_NE(diagnostic.message.find("; "), std::string::npos) << diagnostic.message;
    EXPECT_EQ(diagnostic.message.find('\n'), std::string::npos) << diagnostic.message;
    EXPECT_NE(diagnostic.message.back(), '.') << diagnostic.message;
  }
}

constexpr auto error = Severity::error;
constexpr auto warning = Severity::warning;

const Case places[] = {
    {error, "keyword-arity", "(goal white)", "(goal white)", "(goal white 7)"},
    {error, "keyword-arity", "(<= p (true a b)) (init (a b))", "(true a b)",
     "(<= p (true (a b))) (init (a b))"},
    {error, "keyword-arity", "(terminal now)", "(terminal now)", "(terminal)"},
    {error, "keyword-arity", "(sees white a b)", "(sees white a b)", "(sees white (a b))"},
    {error, "keyword-arity", "(base a b)", "(base a b)", "(base (a b))"},
    {error, "keyword-arity", "(input white)", "(input white)", "(input white noop)"},
    {error, "role-not-fact", "(<= (role grey) p) p", "(role grey)", "(<= (role grey)) p"},
    {error, "keyword-in-head", "(true (control black))", "(true (control black))",
     "(init (control black))"},
    {error, "keyword-in-head", "(<= (does white noop) (role white))", "(does white noop)",
     "(<= (legal white noop) (role white))"},
    {error, "keyword-in-head", "(not p) p", "(not p)", "(nor p) p"},
    {error, "keyword-in-head", "(<= (or p q) p) p q", "(or p q)", "(<= (nor p q) p) p q"},
    {error, "keyword-in-head", "(distinct a b)", "(distinct a b)", "(different a b)"},
    {error, "keyword-in-body", "(<= p (init (control white)))", "(init (control white))",
     "(<= p (true (control white)))"},
    {error, "keyword-in-body", "(<= p (not (next (control white))))", "(next (control white))",
     "(<= p (not (true (control white))))"},
    {error, "keyword-in-body", "(<= (legal ?p ?m) (input ?p ?m)) (input white noop)",
     "(input ?p ?m)", "(<= (legal ?p ?m) (move ?p ?m)) (move white noop) (input white noop)"},
    {error, "keyword-in-body", "(<= p (sees white x)) (sees white x)", "(sees white x)",
     "(<= p (seen white x)) (seen white x)"},
    {error, "keyword-in-term", "(<= p (true (not (control white)))) (init (a b))",
     "(not (control white))", "(<= p (not (true (control white))))"},
    {error, "keyword-in-term", "(init (does white noop))", "(does white noop)",
     "(<= (sees white (does ?p ?m)) (does ?p ?m))"},
    {warning, "keyword-as-name", "(init goal)", "goal", "(init gate)"},
    {warning, "keyword-as-name", "(sees white (does black noop))", "(does black noop)",
     "(sees white (did black noop))"},
};

const Case variables[] = {
    {error, "variable-in-fact", "(p ?x ?x)", "?x", "(<= (p ?x ?x) (role ?x))"},
    {error, "variable-in-fact", "(<= (p (f ?x)))", "?x", "(<= (p (f x)))"},
    {error, "unsafe-head", "(<= (p ?x ?y) (role ?x))", "?y", "(<= (p ?x ?y) (role ?x) (role ?y))"},
    {error, "unsafe-head", "(<= (p ?x) (or (role ?x) (true (control white))))", "?x",
     "(<= (p ?x) (or (role ?x) (true (control ?x))))"},
    {error, "unsafe-head", "(<= (p ?x) (and (role white) (not (true (control ?x)))))", "?x",
     "(<= (p ?x) (and (role ?x) (not (true (control ?x)))))"},
    {error, "unsafe-head", "(<= (p ?x) (or))", "?x", "(<= (p ?x) (or (role ?x)))"},
    {error, "unsafe-negation", "(<= p (not (true (control ?x))))", "?x",
     "(<= p (not (true (control ?x))) (role ?x))"},
    {error, "unsafe-negation", "(<= p (or (role ?x) (not (true (control ?x)))))", "?x",
     "(<= p (role ?x) (or (true (control white)) (not (true (control ?x)))))"},
    {error, "unsafe-negation", "(<= p (not (and (role white) (role ?x))))", "?x",
     "(<= p (not (and (role white) (not (role ?x)))) (role ?x))"},
    {error, "unsafe-distinct", "(<= p (distinct ?x white))", "?x",
     "(<= p (role ?x) (distinct ?x white))"},
    {error, "unsafe-distinct", "(<= p (or (and (role ?x) (role black)) (distinct (f ?x) (f a))))",
     "?x", "(<= p (or (and (role ?x) (distinct (f ?x) (f a))) (role ?_x)))"},
    {warning, "single-variable", "(<= p (role ?x))", "?x", "(<= p (role ?_x))"},
    {warning, "single-variable", "(<= p (or (role ?x) (true (control white))))", "?x",
     "(<= p (role ?x) (true (control ?x)))"},
    {warning, "variable-spelling", "(<= (p ?X) (role ?x))", "?x",
     "(<= (p ?X) (role ?X)) (<= (q ?x) (role ?x))"},
};

const Case graphs[] = {
    {error, "init-depends-on-state", "(<= (init a) p) (<= p (true (control white)))", "p",
     "(<= (init a) p) (<= p (role white))"},
    {error, "init-depends-on-state", "(<= (init a) (legal white noop))", "(legal white noop)",
     "(<= (init a) (role white))"},
    {error, "base-depends-on-state", "(<= (base a) (not terminal))", "terminal",
     "(<= (base a) (not p)) (<= p (role grey))"},
    {error, "input-depends-on-state", "(<= (input ?p noop) (true (control ?p)))",
     "(true (control ?p))", "(<= (input ?p noop) (role ?p))"},
    {error, "legal-depends-on-does", "(<= (legal white a) (not (does black noop)))",
     "(does black noop)", "(<= (legal white a) (not (true (control black))))"},
    {error, "goal-depends-on-does", "(<= (goal white 1) p) (<= p q) (<= q (does white noop))", "p",
     "(<= (goal white 1) p) (<= p q) (<= q (legal white noop))"},
    {error, "terminal-depends-on-does", "(<= terminal (or (does white noop) (role white)))",
     "(does white noop)", "(<= (sees white noop) (or (does white noop) (role white)))"},
    {error, "unstratified-negation", "(<= p (not p))", "p", "(<= p (not q)) (<= q (not r)) r"},
    {error, "unstratified-negation", "(<= p q) (<= q r) (<= r (not p))", "p",
     "(<= p q) (<= q r) (<= r p)"},
    {error, "unstratified-negation", "(<= p (not (or (role white) (and p (role black)))))", "p",
     "(<= p (not (or (role white) (not (and p (role black))))))"},
    {error, "unstratified-negation", "(<= (p ?x) (role ?x) (not (p white)))", "(p white)",
     "(<= (p black) (not (p white))) (p white)"},
    {warning, "own-negation", "(<= (goal white 1) (not (goal white 2))) (goal white 2)",
     "(goal white 2)", "(<= (p white 1) (not (goal white 2))) (goal white 2)"},
    {error, "unrestricted-recursion", "(<= (p (f ?x)) (p ?x)) (p a)", "?x",
     "(<= (p (f ?x)) (p ?x) (role ?x)) (p a)"},
    {error, "unrestricted-recursion", "(<= (p ?x) (p (f ?x)) (role ?x)) (p (f a))", "(f ?x)",
     "(<= (p ?x) (p (f ?x)) (q (f ?x))) (q (f a)) (p (f a))"},
    {error, "unrestricted-recursion", "(<= (p ?x) (q ?x)) (<= (q (f ?x)) (p ?x)) (p a)", "?x",
     "(<= (p ?x) (q ?x)) (<= (q ?x) (p ?x)) (p a)"},
    {error, "unrestricted-recursion",
     "(<= (path ?x ?z) (role ?x) (role ?z) (path ?x ?y) (path a ?z)) (path a b)", "?y",
     "(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z)) (<= (path ?x ?y) (edge ?x ?y)) (edge a b)"},
    {error, "unrestricted-recursion", "(<= (p (f ?x)) (or (role ?x) (p ?x)))(p a)", "?x",
     "(<= (p (f ?x)) (or (role ?x) (p ?x)) (or (role ?x) (q ?x))) (p a) (q a)"},
};

const Case names[] = {
    {error, "goal-value", "(goal white 101)", "101", "(goal white 100)"},
    {error, "goal-value", "(goal white -1)", "-1", "(goal white 0)"},
    {error, "goal-value", "(goal white (f 1))", "(f 1)", "(goal white 1)"},
    {error, "goal-value", "(<= (goal white ?v) (value ?v)) (value 200) (value high)", "?v",
     "(<= (goal white ?v) (value ?v)) (value 200) (value 20)"},
    {error, "goal-value", "(goal white 4294967296)", "4294967296", "(goal white 000100)"},
    {warning, "negated-formula", "(<= p (not (distinct a b)))", "(not (distinct a b))",
     "(<= p (not (role a)))"},
    {warning, "empty-disjunction", "(<= p (or))", "(or)", "(<= p (and))"},
    {warning, "undefined-predicate", "(<= p (q a))", "(q a)", "(<= p (q a)) (q b)"},
    {warning, "undefined-fluent", "(<= p (true (mark a)))", "(mark a)",
     "(<= p (true (mark a))) (init (mark b))"},
    {warning, "undefined-fluent", "(<= p (true mark))", "mark",
     "(<= p (true mark)) (<= (next ?x) (role ?x))"},
    {warning, "undefined-move", "(<= (next a) (does white (go a)))", "(go a)",
     "(<= (next a) (does white (go a))) (legal white (go b))"},
    {warning, "several-goals", "(role grey) (goal grey 3) (goal grey 4) (goal grey 5)", "4",
     "(role grey) (goal grey 3) (<= (goal grey 4) (true (control grey)))"},
    {warning, "arithmetic", "(init (count (- 3 1))) (init (count (- 4 1)))", "(- 3 1)",
     "(init (count 2)) (- 3 1 2)"},
    {warning, "unused-predicate", "(p a) (p b)", "(p a)", "(p a) (<= (init ?x) (p ?x))"},
    {warning, "unknown-role", "(legal grey noop) (goal grey 1)", "grey",
     "(role grey) (legal grey noop)"},
    {warning, "varying-arity", "(p a) (p a b) (p a b c)", "(p a b)", "(p a b) (p c d)"},
    {warning, "varying-arity", "(init (f a)) (init (f a b))", "(f a b)",
     "(init (f a b)) (init f) (f a)"},
    {warning, "two-spellings", "(init (nextRank a)) (init (nextrank b)) (init (nextrank c))",
     "(nextrank b)", "(init (nextRank a)) (INIT (nextRank b))"},
};

INSTANTIATE_TEST_SUITE_P(Places, ValidityCase, ::testing::ValuesIn(places));
INSTANTIATE_TEST_SUITE_P(Variables, ValidityCase, ::testing::ValuesIn(variables));
INSTANTIATE_TEST_SUITE_P(Graphs, ValidityCase, ::testing::ValuesIn(graphs));
INSTANTIATE_TEST_SUITE_P(Names, ValidityCase, ::testing::ValuesIn(names));

// The valid rules without the clauses for one keyword.
std::string without(const std::string& word) {
  std::string text;
  const std::string all = valid_rules;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\n', begin) + 1;
    const std::string line = all.substr(begin, end - begin);
    const bool defines = line.rfind("(" + word, 0) == 0 || line.rfind("(<= " + word, 0) == 0 ||
                         line.rfind("(<= (" + word, 0) == 0;
    if (!defines) text += line;
    begin = end;
  }
  return text;
}

TEST(Validity, ReportsMissingRequiredKeywords) {
  for (const std::string word : {"role", "legal", "goal", "terminal"}) {
    const auto found = with_code(check(without(word)), "missing-" + word);
    ASSERT_EQ(found.size(), 1u) << word;
    EXPECT_EQ(found[0].severity, Severity::error);
  }
}

TEST(Validity, WarnsAboutMissingOptionalKeywords) {
  for (const std::string word : {"init", "next"}) {
    const Checked checked = check(without(word));
    const auto found = with_code(checked, "missing-" + word);
    ASSERT_EQ(found.size(), 1u) << word;
    EXPECT_FALSE(has_errors(checked.diagnostics)) << listed(checked);
  }
}

TEST(Validity, ReportsAllMissingKeywords) {
  const Checked checked = check("(p 1)\n(<= (q ?x) (p ?x))\n(<= (p ?x) (q ?x))");
  EXPECT_EQ(checked.diagnostics.size(), 6u);
}

TEST(Validity, EmptyRulesheetHasOneError) {
  const std::vector<Diagnostic> diagnostics = check_validity(Rulesheet{});
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "missing-rules");
}

TEST(Validity, ReportsAllProblemsInSourceOrder) {
  const Checked checked =
      check(std::string(valid_rules) +
            "(goal white 300)\n(<= (p ?x) (not (q ?x)))\n(<= (q ?x) (not (p ?x)))\n"
            "(true x)\n(goal black many)\n");
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : checked.diagnostics) codes.push_back(diagnostic.code);
  const std::vector<std::string> expected{
      "goal-value",  "unsafe-head",           "unstratified-negation",
      "unsafe-head", "unstratified-negation", "keyword-in-head",
      "goal-value"};
  EXPECT_EQ(codes, expected) << listed(checked);
}

TEST(Validity, ShowsNamesAsSpelledInTheSource) {
  const Checked checked =
      check(std::string(valid_rules) + "(<= P (Open ?Cell) (not (Seen ?cell)))");
  const auto undefined = with_code(checked, "undefined-predicate");
  ASSERT_EQ(undefined.size(), 2u);
  EXPECT_NE(undefined[0].message.find("'Open'"), std::string::npos) << undefined[0].message;
  const auto spelling = with_code(checked, "variable-spelling");
  ASSERT_EQ(spelling.size(), 1u);
  EXPECT_NE(spelling[0].message.find("'?Cell'"), std::string::npos) << spelling[0].message;
}

TEST(Validity, ShowsThePathOfAForbiddenDependency) {
  const Checked checked = check(std::string(valid_rules) +
                                "(<= terminal Over) (<= over Moved) (<= moved (does white noop))");
  const auto found = with_code(checked, "terminal-depends-on-does");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("('Over' uses 'Moved', 'Moved' uses 'does')"), std::string::npos)
      << found[0].message;
}

TEST(Validity, SuggestsTrueForFluents) {
  const auto found =
      with_code(check(std::string(valid_rules) + "(<= p (control white))"), "undefined-predicate");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("'true'"), std::string::npos) << found[0].message;
}

TEST(Validity, ChecksInfixRules) {
  const std::string rules =
      "role(white)\n"
      "init(control(white))\n"
      "legal(P, noop) :- role(P)\n"
      "next(control(P)) :- true(control(P)) & does(P, noop)\n"
      "terminal :- true(control(_)) & distinct(a, b)\n"
      "goal(white, 50)\n";
  EXPECT_TRUE(check(rules).diagnostics.empty()) << listed(check(rules));
  const Checked checked = check(rules + "p(X) :- ~role(X)\nq(x) :- role(X)\n");
  EXPECT_EQ(with_code(checked, "unsafe-head").size(), 1u) << listed(checked);
  EXPECT_EQ(with_code(checked, "single-variable").size(), 1u) << listed(checked);
  EXPECT_TRUE(with_code(checked, "two-spellings").empty()) << listed(checked);
}

TEST(ImperfectInformation, IsRecognisedBySeesAndRandom) {
  EXPECT_FALSE(uses_imperfect_information(check(valid_rules).parsed.rulesheet));
  const auto with = [](const char* more) {
    return uses_imperfect_information(check(std::string(valid_rules) + more).parsed.rulesheet);
  };
  EXPECT_TRUE(with("(role random) (legal random noop)"));
  EXPECT_TRUE(with("(<= (sees ?p noop) (role ?p))"));
  EXPECT_FALSE(with("(legal white random)"));
}

TEST(Validity, DocumentsEveryCode) {
  std::ifstream document(std::string(ZERMELO_ROOT) + "/docs/reference/diagnostics.md");
  const std::string written{std::istreambuf_iterator<char>(document), {}};
  const auto expect_documented = [&](const Case& one) {
    EXPECT_NE(written.find("`" + one.code + "`"), std::string::npos) << one.code;
  };
  std::for_each(std::begin(places), std::end(places), expect_documented);
  std::for_each(std::begin(variables), std::end(variables), expect_documented);
  std::for_each(std::begin(graphs), std::end(graphs), expect_documented);
  std::for_each(std::begin(names), std::end(names), expect_documented);
}

// 200,000 clauses with a chain of 100,000 predicates.
TEST(Validity, IsFastForLargeRulesheets) {
  std::string text = valid_rules;
  for (int i = 0; i < 100'000; ++i) {
    const std::string n = std::to_string(i);
    text +=
        "(<= (p" + n + " ?x) (p" + std::to_string(i + 1) + " ?x) (not (n ?x)))\n(n " + n + ")\n";
  }
  const auto begin = testing::thread_time();
  const Checked checked = check(text + "(<= (legal white ?x) (p0 ?x)) (p100000 a)\n");
  const auto seconds = testing::thread_time() - begin;
  EXPECT_TRUE(checked.diagnostics.empty());
  EXPECT_LT(seconds.count(), 20.0);
}

// One clause with many variables must not slow down the clauses after it.
TEST(Validity, IsFastForSmallClausesAfterALargeOne) {
  std::string text = std::string(valid_rules) + "(<= (p a)";
  for (int i = 0; i < 100'000; ++i) text += " (q ?x" + std::to_string(i) + ")";
  text += ")\n";
  for (int i = 0; i < 100'000; ++i) text += "(<= (r ?x) (q ?x) (s ?x " + std::to_string(i) + "))\n";
  const auto begin = testing::thread_time();
  const Checked checked = check(text);
  const auto seconds = testing::thread_time() - begin;
  EXPECT_EQ(with_code(checked, "single-variable").size(), 100'000u);
  EXPECT_LT(seconds.count(), 10.0);
}

TEST(Validity, IsFastForLargeInvalidRulesheets) {
  std::string text = valid_rules;
  for (int i = 0; i < 50'000; ++i) {
    const std::string n = std::to_string(i);
    text += "(<= (p ?x " + n + ") (not (p " + n + " ?y)))\n(<= (legal white " + n +
            ") (does white " + n + "))\n";
  }
  const auto begin = testing::thread_time();
  const Checked checked = check(text);
  const auto seconds = testing::thread_time() - begin;
  EXPECT_EQ(with_code(checked, "unstratified-negation").size(), 50'000u);
  EXPECT_EQ(with_code(checked, "legal-depends-on-does").size(), 50'000u);
  EXPECT_LT(seconds.count(), 20.0);
}

}  // namespace
}  // namespace zermelo::gdl

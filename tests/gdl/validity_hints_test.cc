// Advice in diagnostics: names that were probably meant, and operators of other languages.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "gdl/read_rules.h"
#include "support/processor_time.h"

namespace zermelo::gdl {
namespace {

const std::string opening =
    "(role white) (role black) (init (count 3)) (succ 1 2) (succ 2 3)\n"
    "(<= (legal ?p take) (role ?p))\n";
const std::string closing =
    "(<= terminal (true (count 1)))\n"
    "(<= (goal ?p 50) (role ?p))\n";
const std::string countdown =
    "(<= (next (count ?y)) (true (count ?x)) (succ ?y ?x) (does white take))\n";

// The diagnostics of a text, a line each: "line:column code message".
std::string diagnosed(const std::string& text) {
  const CheckedRules rules = check_rules(std::make_shared<const base::Source>("game", text));
  std::string lines;
  for (const Diagnostic& diagnostic : rules.diagnostics) {
    const auto position = rules.rulesheet->source->position(diagnostic.span.begin);
    lines += std::to_string(position.line) + ":" + std::to_string(position.column) + " " +
             diagnostic.code + " " + diagnostic.message + "\n";
  }
  return lines;
}

TEST(ValidityHints, RulesWithoutProblemsHaveNone) {
  EXPECT_EQ(diagnosed(opening + countdown + closing), "");
}

// A change of one name, the code it is reported with, and the name that is suggested.
struct Misspelling {
  std::string from, to, code, suggestion;
};

class MisspelledName : public ::testing::TestWithParam<Misspelling> {};

TEST_P(MisspelledName, IsReportedWithTheNameThatWasMeant) {
  const auto& [from, to, code, suggestion] = GetParam();
  std::string text = opening + countdown + closing;
  text.replace(text.find(from), from.size(), to);
  const std::string lines = diagnosed(text);
  const std::size_t found = lines.find(" " + code + " ");
  ASSERT_NE(found, std::string::npos) << lines;
  const std::string line = lines.substr(found, lines.find('\n', found) - found);
  EXPECT_NE(line.find("did you mean '" + suggestion + "'"), std::string::npos) << lines;
}

INSTANTIATE_TEST_SUITE_P(
    All, MisspelledName,
    ::testing::Values(
        Misspelling{"terminal", "termnal", "missing-terminal", "terminal"},
        Misspelling{"terminal", "termnal", "unused-predicate", "terminal"},
        Misspelling{"(legal", "(leagl", "missing-legal", "legal"},
        Misspelling{"(does white", "(dose white", "undefined-predicate", "does"},
        Misspelling{"(true (count ?x))", "(ture (count ?x))", "undefined-predicate", "true"},
        Misspelling{"(succ ?y ?x)", "(suc ?y ?x)", "undefined-predicate", "succ"},
        Misspelling{"(true (count 1))", "(true (coumt 1))", "undefined-fluent", "count"},
        Misspelling{"(does white take)", "(does white tkae)", "undefined-move", "take"},
        Misspelling{"(does white take)", "(does whit take)", "unknown-role", "white"}),
    [](const auto& one) { return std::to_string(one.index) + "_" + one.param.suggestion; });

TEST(ValidityHints, ManyUnknownNamesAreCheckedQuickly) {
  std::string text = opening + countdown + closing;
  for (int i = 0; i < 30'000; ++i) {
    const std::string name = std::to_string(100'000 + i);
    text += "(<= (defined_" + name + " a) (unknown_" + name + " a))\n";
  }
  const auto before = testing::thread_time();
  EXPECT_NE(diagnosed(text), "");
  EXPECT_LT((testing::thread_time() - before).count(), 10.0);
}

TEST(ValidityHints, ArithmeticInTermsIsExplainedOncePerOperator) {
  const std::string minus = diagnosed(
      opening + "(<= (next (count (- ?x 1))) (true (count ?x)) (distinct (- ?x 1) 0))\n" + closing);
  EXPECT_NE(minus.find("3:18 arithmetic '-' is an ordinary function and computes nothing; GDL has "
                       "no arithmetic, so list the order of the numbers as facts such as (succ 1 "
                       "2), add the condition (succ ?y ?x) and use ?y\n"),
            std::string::npos)
      << minus;
  EXPECT_EQ(minus.find("arithmetic '-'"), minus.rfind("arithmetic '-'")) << minus;
  const std::string plus =
      diagnosed(opening + "(<= (next (count (+ ?x 1))) (true (count ?x)))\n" + closing);
  EXPECT_NE(plus.find("the condition (succ ?x ?y) and use ?y"), std::string::npos) << plus;
  const std::string times =
      diagnosed(opening + "(<= (next (count (* ?x 2))) (true (count ?x)))\n" + closing);
  EXPECT_NE(times.find("facts such as (times 2 3 6)"), std::string::npos) << times;
}

TEST(ValidityHints, RelationsNamedLikeOperatorsAreFine) {
  const std::string rules =
      "(+ 1 1 2) (+ 1 2 3)\n(< 1 2)\n"
      "(<= (next (count ?y)) (true (count ?x)) (+ ?y 1 ?x) (< 1 2) (does white take))\n"
      "(<= (next (above ?y)) (succ ?y 3)) (<= (legal white closing) (true (above 2)))\n";
  EXPECT_EQ(diagnosed(opening + rules + closing), "");
}

TEST(ValidityHints, UndefinedOperatorsAreExplained) {
  const auto with = [&](const std::string& condition) {
    return diagnosed(opening + countdown + closing + "(<= terminal (true (count ?x)) " + condition +
                     ")\n");
  };
  EXPECT_NE(with("(= ?x 1)").find("use the same variable in both places"), std::string::npos);
  EXPECT_NE(with("(!= ?x 1)").find("use 'distinct'"), std::string::npos);
  EXPECT_NE(with("(< ?x 1)").find("list the pairs of numbers as facts of '<'"), std::string::npos);
  EXPECT_NE(with("(+ ?x 1 2)").find("list the results as facts of '+'"), std::string::npos);
}

TEST(ValidityHints, ComputedVariablesAreExplained) {
  const std::string head =
      diagnosed(opening + "(<= (next (count ?x-1)) (true (count ?x)))\n" + closing);
  EXPECT_NE(head.find("unsafe-head '?x-1' is the name of a variable and computes nothing; GDL"),
            std::string::npos)
      << head;
  const std::string body =
      diagnosed(opening + countdown + "(<= (legal white closing) (true (count ?x+1)))\n" + closing);
  EXPECT_NE(body.find("single-variable '?x+1' is the name of a variable"), std::string::npos)
      << body;
  EXPECT_EQ(
      diagnosed(opening +
                "(<= (next (count ?x-1)) (true (count ?x)) (succ ?x-1 ?x) (does white take))\n" +
                closing),
      "");
}

TEST(ValidityHints, ArithmeticInInfixIsExplained) {
  const std::string apart = diagnosed("role(a)\nnext(count(X - 1)) :- true(count(X))\n");
  EXPECT_NE(apart.find("2:14 unexpected-token expected ',', '&', '|' or ')', got '-'; GDL has no "
                       "arithmetic, so list the order of the numbers as facts such as succ(1, 2), "
                       "add the condition succ(Y, X) and use Y"),
            std::string::npos)
      << apart;
  EXPECT_NE(diagnosed("role(a)\nnext(count(X +1)) :- true(count(X))\n").find("succ(X, Y) and use"),
            std::string::npos);
  EXPECT_NE(diagnosed("role(a)\nnext(count(X-1)) :- true(count(X))\n").find("succ(Y, X) and use Y"),
            std::string::npos);
  const std::string less = diagnosed("role(a)\np(X) :- q(X) & r(X) < 3\n");
  EXPECT_NE(less.find("2:21 unexpected-character unexpected character '<'; GDL has no comparison"),
            std::string::npos)
      << less;
  EXPECT_NE(diagnosed("role(a)\np(X) :- q(X) & X != 3\n").find("'!='; use 'distinct'"),
            std::string::npos);
  EXPECT_NE(diagnosed("role(a)\np(X) :- q(X) & X =").find("'='; GDL has no equality"),
            std::string::npos);
}

TEST(ValidityHints, ARoleWithoutGoalsIsReported) {
  const std::string over = "(<= terminal (true (count 1)))\n(goal white 50)\n";
  const std::string lines = diagnosed(opening + countdown + over);
  EXPECT_EQ(lines,
            "1:20 role-without-goal 'black' never has a goal value, which counts as 0; add clauses "
            "for 'goal'\n");
  EXPECT_EQ(diagnosed(opening + countdown + over + "(goal black 50)\n"), "");
}

TEST(ValidityHints, ThePlayerOfAMoveMayAppearOnce) {
  const auto warnings = [&](const std::string& condition) {
    return diagnosed(opening + "(<= (next (count 1)) " + condition + ")\n" + closing);
  };
  EXPECT_EQ(warnings("(does ?p take)").find("single-variable"), std::string::npos);
  EXPECT_NE(warnings("(does white ?m)").find("single-variable"), std::string::npos);
  EXPECT_NE(warnings("(role ?p)").find("single-variable"), std::string::npos);
}

TEST(ValidityHints, LinesEndWithCarriageReturnsToo) {
  std::string rules = opening + "(<= (next (count ?y))\n  (ture (count ?y)))\n" + closing;
  const std::string lines = diagnosed(rules);
  EXPECT_NE(lines.find("\n4:3 undefined-predicate"), std::string::npos) << lines;
  std::string macintosh, windows;
  for (const char c : rules) {
    macintosh += c == '\n' ? '\r' : c;
    windows += c == '\n' ? "\r\n" : std::string(1, c);
  }
  EXPECT_EQ(diagnosed(macintosh), lines);
  EXPECT_EQ(diagnosed(windows), lines);
}

// A clause that is not closed ends before the next line that starts with a parenthesis.
TEST(ValidityHints, RecoveryFromProblemsFindsCarriageReturns) {
  const std::string rules = "(role white)\r(init (count 3)\r(succ 1 2)\r";
  EXPECT_EQ(diagnosed(rules).substr(0, 25), "2:1 unclosed-parenthesis ") << diagnosed(rules);
  EXPECT_NE(diagnosed(rules).find("before line 3"), std::string::npos) << diagnosed(rules);
  EXPECT_EQ(diagnosed("role(a\rinit(b)\rinit('c\rinit(d)\r"),
            "2:1 unexpected-token expected ',', '&', '|' or ')', got 'init'\n"
            "3:6 unclosed-quote the quoted name is not closed on this line; add a ' after it\n");
}

}  // namespace
}  // namespace zermelo::gdl

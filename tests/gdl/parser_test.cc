#include "gdl/parser.h"

#include <gtest/gtest.h>

#include <string>

#include "gdl/parse_text.h"
#include "gdl/printer.h"

namespace zermelo::gdl {
namespace {

// All clauses in prefix syntax, one line each, so that expectations are easy to read.
std::string clauses_of(const ParseResult& result) {
  std::string text;
  for (const Clause& clause : result.rulesheet.clauses) {
    for (const char c : print(clause, result.rulesheet.symbols)) {
      if (c == '\n')
        text += ' ';
      else if (c != ' ' || text.back() != ' ')
        text += c;
    }
    text += '\n';
  }
  return text;
}

std::string read(const std::string& text) {
  const ParseResult result = parse_text(text);
  EXPECT_TRUE(result.diagnostics.empty()) << text << ": " << result.diagnostics.front().message;
  return clauses_of(result);
}

// "line:column code" of every problem.
std::string problems_of(const ParseResult& result) {
  std::string text;
  for (const Diagnostic& problem : result.diagnostics) {
    const base::Position at = result.rulesheet.source->position(problem.span.begin);
    text += std::to_string(at.line) + ":" + std::to_string(at.column) + " " + problem.code + "\n";
  }
  return text;
}

std::string problems(const std::string& text) { return problems_of(parse_text(text)); }

TEST(PrefixParser, ReadsFactsAndRules) {
  EXPECT_EQ(read("(role white) (<= (legal ?p noop) (role ?p))"),
            "(role white)\n(<= (legal ?p noop) (role ?p))\n");
}

TEST(PrefixParser, BuildsTheTreeOfARule) {
  const ParseResult result = parse_text("(<= (p ?x) (not (or (q ?x c) (distinct ?x d))))");
  ASSERT_EQ(result.rulesheet.clauses.size(), 1u);
  const Clause& clause = result.rulesheet.clauses.front();
  EXPECT_EQ(clause.head.kind, Term::Kind::function);
  EXPECT_EQ(clause.head.arguments.front().kind, Term::Kind::variable);
  EXPECT_EQ(result.rulesheet.symbols.name(clause.head.arguments.front().name), "x");
  const Formula& negation = clause.body.front();
  ASSERT_EQ(negation.kind, Formula::Kind::negation);
  const Formula& disjunction = negation.children.front();
  ASSERT_EQ(disjunction.kind, Formula::Kind::disjunction);
  EXPECT_EQ(disjunction.children.front().kind, Formula::Kind::atom);
  EXPECT_EQ(disjunction.children.back().kind, Formula::Kind::distinct);
  EXPECT_EQ(disjunction.children.back().atom.arguments.size(), 2u);
  EXPECT_EQ(clause.head.arguments.front().name,
            disjunction.children.back().atom.arguments.front().name);
}

TEST(PrefixParser, RecordsSpans) {
  const ParseResult result = parse_text("(role x)\n(<= (p a)\n    (not (q b)))");
  const base::Source& source = *result.rulesheet.source;
  const Clause& rule = result.rulesheet.clauses.back();
  EXPECT_EQ(source.text(result.rulesheet.clauses.front().span), "(role x)");
  EXPECT_EQ(source.text(rule.span), "(<= (p a)\n    (not (q b)))");
  EXPECT_EQ(source.text(rule.head.span), "(p a)");
  EXPECT_EQ(source.text(rule.head.arguments.front().span), "a");
  EXPECT_EQ(source.text(rule.body.front().span), "(not (q b))");
  EXPECT_EQ(source.text(rule.body.front().children.front().span), "(q b)");
}

TEST(PrefixParser, IgnoresCase) {
  const ParseResult result = parse_text("(Role XPlayer) (<= TERMINAL (TRUE ?X) (Not (true ?x)))");
  EXPECT_EQ(clauses_of(result), "(role xplayer)\n(<= terminal (true ?x) (not (true ?x)))\n");
  EXPECT_EQ(result.rulesheet.clauses.front().head.name, keyword::role);
}

TEST(PrefixParser, AcceptsEmptyConnectivesAndBodies) {
  EXPECT_EQ(read("(<= a) (<= b (or) (and) (not (or)))"), "(a)\n(<= b (or) (and) (not (or)))\n");
}

TEST(PrefixParser, AcceptsParenthesesAroundANullaryAtom) {
  EXPECT_EQ(read("(terminal) (<= terminal (open)) (<= (open) closed) closed"),
            "(terminal)\n(<= terminal open)\n(<= open closed)\n(closed)\n");
}

TEST(PrefixParser, AcceptsOneListAroundAllClauses) {
  EXPECT_EQ(read("( (role x) (<= a b) ) "), "(role x)\n(<= a b)\n");
  EXPECT_EQ(read("((<= a b))"), "(<= a b)\n");
}

TEST(PrefixParser, SkipsComments) {
  EXPECT_EQ(read("; (((\n(role ; x)\n y) ; \xff\x01 any bytes"), "(role y)\n");
}

TEST(PrefixParser, AcceptsAllLineBreaks) {
  EXPECT_EQ(read("; one\r(a)\r; two\r\n(b)\n"), "(a)\n(b)\n");
}

TEST(PrefixParser, AcceptsUnusualNames) {
  EXPECT_EQ(read("(+ a.b < it's |x| %1 <= \xc3\xa9 ?x-1 ?1 ?_)"),
            "(+ a.b < it's |x| %1 <= \xc3\xa9 ?x-1 ?1 ?_)\n");
}

TEST(PrefixParser, SkipsByteOrderMarkAndUnicodeBlanks) {
  EXPECT_EQ(read("\xef\xbb\xbf(role\xc2\xa0x)\r\n\f"), "(role x)\n");
}

TEST(PrefixParser, ReportsEachProblemAtItsPosition) {
  EXPECT_EQ(problems("(f ())"), "1:5 empty-list\n");
  EXPECT_EQ(problems("(a) ((f a) b)"), "1:6 list-as-name\n");
  EXPECT_EQ(problems("(f (?g a))"), "1:5 variable-as-name\n");
  EXPECT_EQ(problems("(<= ?x a) ?y"), "1:5 variable-as-head\n1:11 variable-as-head\n");
  EXPECT_EQ(problems("(<= a ?x (not ?y))"),
            "1:7 variable-as-condition\n1:15 variable-as-condition\n");
  EXPECT_EQ(problems("(<=)"), "1:1 rule-without-head\n");
  EXPECT_EQ(problems("(a) <= b"), "1:5 misplaced-arrow\n");
  EXPECT_EQ(problems("(<= a (<= b c))"), "1:8 nested-rule\n");
  EXPECT_EQ(problems("(<= (<= a) b)"), "1:6 nested-rule\n");
  EXPECT_EQ(problems("(<= a (distinct b))"), "1:7 distinct-arity\n");
  EXPECT_EQ(problems("(<= a (not) (not b c))"), "1:7 negation-arity\n1:13 negation-arity\n");
  EXPECT_EQ(problems("(<= a not (and or))"),
            "1:7 connective-as-condition\n1:16 connective-as-condition\n");
  EXPECT_EQ(problems("(f ? a?x)"), "1:4 unnamed-variable\n1:7 question-mark-in-name\n");
}

TEST(PrefixParser, KeepsTheValidClausesAroundAProblem) {
  EXPECT_EQ(clauses_of(parse_text("(a b) (<= c ?x) (d ()) (e f)")), "(a b)\n(e f)\n");
}

TEST(PrefixParser, ReportsConsecutiveStrayParenthesesOnce) {
  const ParseResult result = parse_text("(a))))\n(b)) (c)");
  EXPECT_EQ(problems_of(result), "1:4 unmatched-parenthesis\n2:4 unmatched-parenthesis\n");
  EXPECT_EQ(clauses_of(result), "(a)\n(b)\n(c)\n");
}

TEST(PrefixParser, ResumesAtTheNextLineAfterAnUnclosedClause) {
  const ParseResult result = parse_text("(a)\n(init (b c)\n(init (d e))\n(<= f ?x)\n(g)");
  EXPECT_EQ(problems_of(result), "2:1 unclosed-parenthesis\n4:7 variable-as-condition\n");
  EXPECT_EQ(clauses_of(result), "(a)\n(init (d e))\n(g)\n");
  EXPECT_NE(result.diagnostics.front().message.find("before line 3"), std::string::npos);
}

TEST(PrefixParser, ResumesAtARuleAtTheStartOfALine) {
  const ParseResult result = parse_text("((a)\n  (<= b (c)\n  (<= d e))");
  EXPECT_EQ(problems_of(result), "2:3 unclosed-parenthesis\n");
  EXPECT_EQ(clauses_of(result), "(a)\n(<= d e)\n");
}

TEST(PrefixParser, ReportsAnUnclosedLastClause) {
  EXPECT_EQ(problems("(a b) (c (d e)"), "1:7 unclosed-parenthesis\n");
  EXPECT_EQ(problems("((a b) (c d)"), "1:1 unclosed-parenthesis\n");
}

TEST(InfixParser, ReadsFactsAndRules) {
  EXPECT_EQ(read("role(white)\nlegal(P, noop) :- role(P) & ~true(control(P)) & distinct(P, white)"),
            "(role white)\n(<= (legal ?p noop) (role ?p) (not (true (control ?p))) (distinct ?p "
            "white))\n");
}

TEST(InfixParser, FullStopIsOptional) {
  const std::string rules = "(a)\n(<= b c (d ?x))\n(e)\n(<= f g)\n";
  EXPECT_EQ(read("a. b :- c & d(X). e. f <= g."), rules);
  EXPECT_EQ(read("a b :- c & d(X) e f <= g"), rules);
}

TEST(InfixParser, BindsNegationThenConjunctionThenDisjunction) {
  EXPECT_EQ(read("a :- ~b & c | d & ~(e | f)"),
            "(<= a (or (and (not b) c) (and d (not (or e f)))))\n");
  EXPECT_EQ(read("a :- (b | c) & (d) & (e & f)"), "(<= a (or b c) d (and e f))\n");
}

TEST(InfixParser, AcceptsConnectivesAsFunctions) {
  EXPECT_EQ(read("a :- not(b) & or() & and(c) & or(d | e, f & g)"),
            "(<= a (not b) (or) (and c) (or (or d e) (and f g)))\n");
}

TEST(InfixParser, ReadsQuotedNamesAndVariables) {
  EXPECT_EQ(read("'<'(+, a-1, 'It''s', '<=', ?1, ?_, ?'a.b', _u, Up)"),
            "(< + a-1 it's <= ?1 ?_ ?a.b ?_u ?up)\n");
}

TEST(InfixParser, GivesEveryAnonymousVariableAFreshName) {
  EXPECT_EQ(read("p(_, _2) :- q(_, _)\nr(_)"), "(<= (p ?_1 ?_2) (q ?_3 ?_4))\n(r ?_1)\n");
}

TEST(InfixParser, SkipsComments) {
  EXPECT_EQ(read("% one (\na(b) ; two\nc % three"), "(a b)\n(c)\n");
}

TEST(InfixParser, AcceptsEmptyArguments) {
  EXPECT_EQ(read("terminal() :- p(c())"), "(<= terminal (p c))\n");
}

TEST(InfixParser, RecordsSpans) {
  const ParseResult result = parse_text("role(x).\np(a) :- b & ~(c | d).");
  const base::Source& source = *result.rulesheet.source;
  const Clause& rule = result.rulesheet.clauses.back();
  EXPECT_EQ(source.text(rule.span), "p(a) :- b & ~(c | d)");
  EXPECT_EQ(source.text(rule.head.span), "p(a)");
  EXPECT_EQ(source.text(rule.body.front().span), "b");
  EXPECT_EQ(source.text(rule.body.back().span), "~(c | d)");
}

TEST(InfixParser, ReportsEachProblemAtItsPosition) {
  EXPECT_EQ(problems("p(a :- b"), "1:5 unexpected-token\n");
  EXPECT_EQ(problems("p(a) & b"), "1:6 unexpected-token\n");
  EXPECT_EQ(problems("p :- a &"), "1:9 unexpected-token\n");
  EXPECT_EQ(problems("p :- a, b"), "1:7 unexpected-token\n");
  EXPECT_EQ(problems("p :- not b"), "1:10 unexpected-token\n");
  EXPECT_EQ(problems("p :- X & not(a, b)"), "1:6 variable-as-condition\n1:10 negation-arity\n");
  EXPECT_EQ(problems("p(F(a))"), "1:3 variable-as-name\n");
  EXPECT_EQ(problems("p(a) X"), "1:6 variable-as-head\n");
  EXPECT_EQ(problems("p :- distinct(a)"), "1:6 distinct-arity\n");
  EXPECT_EQ(problems("'<='(a) p('<='(b))"), "1:1 misplaced-arrow\n1:11 misplaced-arrow\n");
  EXPECT_EQ(problems("p :- a = b"), "1:8 unexpected-character\n");
  EXPECT_EQ(problems("p('a)"), "1:3 unclosed-quote\n");
  EXPECT_EQ(problems("p('', 'a b', ?'?')"),
            "1:3 bad-quoted-name\n1:7 bad-quoted-name\n1:14 bad-quoted-name\n");
  EXPECT_EQ(problems("p(?)"), "1:3 unnamed-variable\n");
}

TEST(InfixParser, ContinuesAfterAProblem) {
  const ParseResult result = parse_text("a(b :- c\n   & d\ne(f)\ng :- & . h. i :- j k(l,\nm");
  EXPECT_EQ(problems_of(result),
            "1:5 unexpected-token\n4:6 unexpected-token\n5:2 unexpected-token\n");
  EXPECT_EQ(clauses_of(result), "(e f)\n(h)\n(<= i j)\n");
}

TEST(RecogniseSyntax, UsesTheFirstWords) {
  const auto syntax = [](const char* text) { return parse_text(text).rulesheet.syntax; };
  EXPECT_EQ(syntax("; c\n (role x)"), Syntax::prefix);
  EXPECT_EQ(syntax("open closed (role x)"), Syntax::prefix);
  EXPECT_EQ(syntax("(a | b)"), Syntax::prefix);
  EXPECT_EQ(syntax(") (role x)"), Syntax::prefix);
  EXPECT_EQ(syntax("% c\n role(x)"), Syntax::infix);
  EXPECT_EQ(syntax("open. role(x)"), Syntax::infix);
  EXPECT_EQ(syntax("open :- (a | b)"), Syntax::infix);
  EXPECT_EQ(syntax("open <= (a | b)"), Syntax::infix);
  EXPECT_EQ(syntax("'<'(a)"), Syntax::infix);
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(HostileInput, GivesOneMessageForDeepNesting) {
  EXPECT_EQ(problems(repeated("(", 1000000)), "1:202 too-deep\n");
  EXPECT_EQ(problems("(a) " + repeated("(f ", 1000000)), "1:605 too-deep\n");
  EXPECT_EQ(problems(repeated("(f\n", 1000000)), "201:1 too-deep\n");
  EXPECT_EQ(problems("(<= a " + repeated("(not ", 1000000)), "1:1007 too-deep\n");
  EXPECT_EQ(problems("a :- " + repeated("~", 1000000)), "1:206 too-deep\n");
  EXPECT_EQ(problems("a :- " + repeated("(", 1000000)), "1:206 too-deep\n");
  EXPECT_EQ(problems(repeated("f(", 1000000)), "1:402 too-deep\n");
}

TEST(HostileInput, NestingLimitIsExact) {
  const auto prefix = [](int depth) {
    return "(<= a " + repeated("(not ", depth) + "b" + repeated(")", depth + 1);
  };
  const auto infix = [](int depth) { return "a :- " + repeated("~", depth) + "b"; };
  const auto term = [](int depth) { return repeated("f(", depth) + "b" + repeated(")", depth); };
  EXPECT_EQ(problems(prefix(200)), "");
  EXPECT_EQ(problems(infix(200)), "");
  EXPECT_EQ(problems(term(200)), "");
  EXPECT_EQ(problems(prefix(201) + "(c)"), "1:1007 too-deep\n");
  EXPECT_EQ(problems(infix(201)), "1:206 too-deep\n");
  EXPECT_EQ(problems(term(201)), "1:402 too-deep\n");
  EXPECT_EQ(problems("a :- " + repeated("(b | c & ", 150) + "d" + repeated(")", 150)),
            "1:1 too-deep\n");
}

TEST(HostileInput, GivesOneMessageForInvalidBytes) {
  EXPECT_EQ(problems(std::string(1000, '\0')), "1:1 not-text\n");
  EXPECT_EQ(problems("(a ?)\n(b \xff\xff) ("), "2:4 not-text\n");
  EXPECT_EQ(problems("(a \x8b)"), "1:4 not-text\n");
  EXPECT_EQ(problems("(a\xc3)"), "1:3 not-text\n");
  EXPECT_EQ(problems("(a \xed\xa0\x80)"), "1:4 not-text\n");
  EXPECT_EQ(problems("(a \xc0\x80 \x01)"), "1:4 not-text\n");
  EXPECT_EQ(problems("p(a) q(\xf8)"), "1:8 not-text\n");
}

TEST(HostileInput, LimitsTheNumberOfProblems) {
  const ParseResult prefix = parse_text(repeated("?x\n", 5000));
  EXPECT_EQ(prefix.diagnostics.size(), 101u);
  EXPECT_EQ(prefix.diagnostics.back().code, "too-many-problems");
  EXPECT_EQ(parse_text("a :- b\n" + repeated("|\n", 5000)).diagnostics.size(), 1u);
  EXPECT_EQ(parse_text(repeated("a :- X\n", 5000)).diagnostics.size(), 101u);
  EXPECT_LE(parse_text(repeated("(a (b\n(c d))\n", 5000)).diagnostics.size(), 101u);
}

TEST(HostileInput, BoundsTheWorkOfRecovery) {
  const std::string long_tail = repeated("(c d)\n", 4 << 20);
  EXPECT_EQ(problems("(a\n(a\n(a\n" + long_tail), "1:1 unclosed-parenthesis\n");
}

// The seed corpus contains an example of almost every problem.
TEST(SyntaxProblems, AreDocumented) {
  const auto documentation = base::read_source(ZERMELO_ROOT "/docs/reference/diagnostics.md");
  ASSERT_TRUE(documentation);
  std::size_t count = 0;
  for (const char* file : {"problems.gdl", "problems_infix.gdl", "names.gdl", "nul.gdl"}) {
    const auto source = base::read_source(std::string(ZERMELO_ROOT "/tests/fuzz/corpus/") + file);
    ASSERT_TRUE(source) << file;
    for (const Diagnostic& problem : parse_text(std::string(source->text())).diagnostics) {
      EXPECT_NE(documentation->text().find("| `" + problem.code + "` |"), std::string_view::npos)
          << problem.code;
      ++count;
    }
  }
  EXPECT_GE(count, 20u);
}

TEST(HostileInput, AcceptsEmptyText) {
  for (const char* text : {"", " \n", "; comment", "%", "()"}) {
    EXPECT_TRUE(parse_text(text).rulesheet.clauses.empty()) << text;
  }
}

}  // namespace
}  // namespace zermelo::gdl
